import type { Vocabulary } from "../../cli/command.ts";
import { completeWords, type KnownWords } from "../../cli/later/complete-words.ts";
import type { Completions } from "../line-handler.ts";
import { splitLine } from "../split-line.ts";

/** What could stand at the cursor of a `/mcp` line: a verb, a server, a flag or its value. */
export async function completeLine(
  line: string,
  cursor: number,
  vocabulary: Vocabulary,
  known: KnownWords,
): Promise<Completions | undefined> {
  const { words } = splitLine(line.slice(0, cursor));
  const typed =
    /\s$/.test(line.slice(0, cursor)) && !isInside(line.slice(0, cursor)) ? undefined : words.at(-1);
  const before = (typed === undefined ? words : words.slice(0, -1)).map(({ text }) => text);
  const from = typed?.start ?? cursor;
  const start = typed?.text ?? "";
  const items =
    before.length === 0
      ? start.startsWith("/")
        ? [{ text: vocabulary.program, note: "servers, tools, sign-ins" }]
        : []
      : await completeWords(before, start, vocabulary, known);
  const fitting = items.filter(({ text }) => text.startsWith(start) || unquoted(text).startsWith(start));
  return fitting.length === 0 ? undefined : { from, items: fitting };
}

function isInside(text: string): boolean {
  return splitLine(text).unfinished !== undefined;
}

function unquoted(text: string): string {
  return splitLine(text).words.at(0)?.text ?? text;
}
