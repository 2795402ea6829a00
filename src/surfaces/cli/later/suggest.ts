import { safeLine } from "../../../index.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { stateWords } from "../render/state.ts";
import { completeWords, type KnownWords } from "./complete-words.ts";

/** Prints what could follow the words after `--`, one on a line with a note. Connects to nothing, and complains of nothing. */
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
  const known: KnownWords = {
    servers: () => host.servers().map(({ name, state }) => ({ name, note: stateWords(state) })),
    tools: async (server) => (await host.tools(server, { connect: false })).map(({ tool }) => tool),
    secrets: () => host.secrets().catch(() => []),
  };
  const items = await completeWords(["plugboard", ...before], start, vocabulary, known).catch(() => []);
  const fitting = items.filter(({ text }) => text.startsWith(start) && safeLine(text) === text);
  if (json) printJson({ words: fitting });
  else for (const { text, note } of fitting) terminal.out(`${text}\t${safeLine(note ?? "")}\n`);
  return 0;
}
