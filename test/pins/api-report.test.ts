import { expect, test } from "vitest";
import type { Declaration } from "../docs/reference/declarations.ts";
import { entryPoints, exportsOf, referredTo } from "../docs/reference/entry-points.ts";

/**
 * If you changed the API on purpose, check with `docs/versions.md` which version the change needs, then run
 * `npx vitest run test/pins/api-report.test.ts -u` and commit the new report.
 */
test("the public API matches its report", async () => {
  await expect(report()).toMatchFileSnapshot("api-report.txt");
}, 120_000);

test("the report omits comments, but no types", () => {
  const text =
    "interface X {\n    /**\n     * Why; not.\n     */\n    readonly a?: `/*${string}`;\n    /** b */\n    b: 1;\n}";
  expect(withoutComments({ name: "X", file: "x.d.ts", text, doc: "" })).toBe(
    "interface X {\n    readonly a?: `/*${string}`;\n    b: 1;\n}",
  );
});

/** Every export of every entry point, and every type that these refer to, without comments. */
function report(): string {
  const exported = entryPoints.map(({ name, file }) => ({ name, declarations: exportsOf(file) }));
  const all = new Set(exported.flatMap(({ declarations }) => declarations));
  const hidden = referredTo(all);
  const names = exported.flatMap(({ name, declarations }) => [
    `${name}:`,
    ...declarations.map((declaration) => `  ${declaration.name}`),
    "",
  ]);
  return [
    ...names,
    "Declarations:",
    ...sorted([...all].map(withoutComments)),
    "",
    "Types that they refer to:",
    ...sorted(hidden.map(withoutComments)),
    "",
  ].join("\n");
}

function withoutComments({ text }: Declaration): string {
  return text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, "");
}

const sorted = (texts: readonly string[]): string[] => texts.toSorted((one, other) => (one < other ? -1 : 1));
