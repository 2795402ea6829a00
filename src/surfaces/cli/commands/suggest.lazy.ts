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
  const before = rest.slice(0, -1);
  const start = rest.at(-1) ?? "";
  const host = await openHost({ quiet: true, interaction: "forbid" });
  const items = await completeWords(
    ["plugboard", ...before],
    start,
    vocabulary,
    completionSources(host),
  ).catch(() => []);
  const fitting = items.filter(({ text }) => text.startsWith(start) && safeLine(text) === text);
  if (json) printJson({ words: fitting });
  else for (const { text, note } of fitting) terminal.out(`${text}\t${safeLine(note ?? "")}\n`);
  return 0;
}
