import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { completeWords } from "../../shared/completion/complete-words.ts";
import { completionSources } from "../../shared/completion/completion-sources.ts";

/**
 * Prints suggestions for the words after `--`, one per line with a note. Does not connect to servers or report errors.
 */
export async function suggest({
  rest,
  vocabulary,
  terminal,
  json,
  printJson,
  openHost,
}: CommandContext): Promise<ExitCode> {
  const { before, start, replaced } = joinParts(rest);
  const host = await openHost({ quiet: true, interaction: "forbid", demo: before.includes("demo") });
  const items = await completeWords(
    ["plugboard", ...before],
    start,
    vocabulary,
    completionSources(host),
  ).catch(() => []);
  const fitting = items.filter(({ text }) => text.startsWith(start) && safeLine(text) === text);
  const shown = fitting.map((item) => ({ ...item, text: item.text.slice(replaced) }));
  if (json) printJson({ words: shown });
  else
    for (const { text, note } of shown)
      terminal.out(`${text}\t${safeLine(note ?? "").slice(0, LONGEST_NOTE)}\n`);
  return 0;
}

const LONGEST_NOTE = 200;

/**
 * Joins words that bash splits at `=` and `:`. `replaced` is the length of the parts before the one at the cursor: bash replaces only
 * that one.
 */
function joinParts(rest: readonly string[]): {
  readonly before: readonly string[];
  readonly start: string;
  readonly replaced: number;
} {
  const isMark = (word: string | undefined): boolean => word !== undefined && /^[=:]+$/.test(word);
  const words: string[] = [];
  for (const [index, word] of rest.entries()) {
    const isPart = words.length > 0 && (isMark(word) || isMark(rest[index - 1]));
    if (isPart) words[words.length - 1] += word;
    else words.push(word);
  }
  const start = words.at(-1) ?? "";
  const last = rest.at(-1) ?? "";
  return { before: words.slice(0, -1), start, replaced: start.length - (isMark(last) ? 0 : last.length) };
}
