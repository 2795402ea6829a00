import type { SeedRow, ShownBy } from "./seed-row.ts";

const QUOTES = ['"', "'", "`"] as const;

/**
 * Returns the claims of the rows that no test proves, one sentence each. Skipped tests, todos and tests in comments
 * do not count.
 */
export function missingTests(
  rows: readonly Pick<SeedRow, "id" | "shownBy">[],
  readFile: (path: string) => string | undefined,
): readonly string[] {
  return rows.flatMap(({ id, shownBy }) => {
    if (shownBy === undefined) return [];
    const problem = problemWith(shownBy, readFile(shownBy.file));
    return problem === undefined ? [] : [`${id}: ${problem}`];
  });
}

function problemWith({ file, test }: ShownBy, source: string | undefined): string | undefined {
  if (source === undefined) return `${file} does not exist`;
  return hasTest(source, test) ? undefined : `${file} has no test "${test}"`;
}

function hasTest(source: string, title: string): boolean {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const literal = QUOTES.map((quote) => escapeForRegExp(quote + escapeInQuotes(title, quote) + quote)).join(
    "|",
  );
  const modifiers = String.raw`(?:\.(?:concurrent|sequential))*`;
  const plain = String.raw`${modifiers}\s*\(`;
  const upToTheTitle = String.raw`(?:(?![)\`]\s*\(\s*["'\`])[^])*[)\`]\s*\(`;
  const withArguments = String.raw`${modifiers}\.(?:each|for|skipIf|runIf)\b${upToTheTitle}`;
  return new RegExp(
    String.raw`(?<![\w.])(?:test|it)(?:${plain}|${withArguments})\s*(?:${literal})\s*[,)]`,
  ).test(code);
}

function escapeInQuotes(title: string, quote: string): string {
  return title.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
}

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
