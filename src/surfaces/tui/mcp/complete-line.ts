import type { CommandSet } from "../../shared/command.ts";
import { type CompletionSources, completeWords } from "../../shared/completion/complete-words.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { Completions } from "../line-handler.ts";
import { splitLine } from "../split-line.ts";

/** Returns completions at the cursor of a `/mcp` line: a command, a server, a flag or its value. */
export async function completeLine(
  line: string,
  cursor: number,
  vocabulary: CommandSet,
  known: CompletionSources,
): Promise<Completions | undefined> {
  const { words, unfinished } = splitLine(line.slice(0, cursor));
  const isBetween = unfinished === undefined && /\s$/.test(line.slice(0, cursor));
  const typed = isBetween ? undefined : words.at(-1);
  const before = (typed === undefined ? words : words.slice(0, -1)).map(({ text }) => text);
  const from = typed?.start ?? cursor;
  const start = typed?.text ?? "";
  if (before.length === 0) {
    const { program } = vocabulary;
    const isOurs = start.startsWith("/") && program.startsWith(start);
    return isOurs ? { from, items: [{ text: program, note: "servers, tools, sign-ins" }] } : undefined;
  }
  const fitting = (await completeWords(before, start, vocabulary, known))
    .filter(({ text }) => text.startsWith(start))
    .map((item) => (/^-|^[\w.-]+=[\w.-]*$/.test(item.text) ? item : { ...item, text: shellWord(item.text) }));
  return fitting.length === 0 ? undefined : { from, items: fitting };
}
