import { setTimeout as delay } from "node:timers/promises";
import type { LoggedRun } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Command, CommandContext, FlagValue } from "../command.ts";
import { renderLogs } from "../render/logs.ts";
import { usageError } from "../usage-error.ts";

const DEFAULT_LINES = 100;
const FOLLOW_MS = 300;

export const logs: Command = {
  name: "logs",
  summary: "Show a local server's recent output: standard error, and stray lines on standard output.",
  parameters: "<server>",
  notes: [
    "Plugboard keeps the last five runs and removes known secrets. This command does not start the server.",
  ],
  words: { least: 1, most: 1 },
  flags: {
    lines: { type: "string", value: "<n>", summary: `number of lines to show (default ${DEFAULT_LINES})` },
    follow: { type: "boolean", short: "f", summary: "keep showing new lines until Ctrl-C" },
  },
  examples: ["plugboard logs files", "plugboard logs files --lines 20 --follow"],
  async run(context) {
    const [server = ""] = context.words;
    const lines = lineCount(context.flags["lines"], context.program);
    const host = await context.openHost({ demo: server === "demo" });
    const runs = await host.doctor.logs(server, { lines });
    if (context.flags["follow"] === true) return follow(context, runs, () => host.doctor.logs(server));
    if (context.json) context.printJson({ server, runs });
    else if (runs.length === 0) context.terminal.out(`"${safeLine(server)}" has no output yet.\n`);
    else context.terminal.out(renderLogs(runs, context.style));
    return 0;
  },
};

/** Prints new lines until Ctrl-C, which makes `delay` reject. */
async function follow(
  context: CommandContext,
  runs: readonly LoggedRun[],
  read: () => Promise<readonly LoggedRun[]>,
): Promise<never> {
  const seen = new Map<string, Seen>();
  const [oldest] = runs;
  show(context, newLines(runs, seen));
  for (;;) {
    await delay(FOLLOW_MS, undefined, { signal: context.signal });
    const now = await read();
    // Skip runs that are older than the first one shown.
    show(context, newLines(oldest === undefined ? now : now.filter(({ id }) => id >= oldest.id), seen));
  }
}

interface Seen {
  readonly number: number;
  readonly ended: boolean;
}

/** Returns the runs with the lines that were not shown yet. */
function newLines(runs: readonly LoggedRun[], seen: Map<string, Seen>): LoggedRun[] {
  return runs.flatMap((run) => {
    const { number, ended } = seen.get(run.id) ?? { number: 0, ended: false };
    const fresh = run.lines.filter((line) => line.number > number);
    seen.set(run.id, { number: run.lines.at(-1)?.number ?? number, ended: run.end !== undefined });
    const { end, ...rest } = run;
    if (fresh.length === 0 && (ended || end === undefined)) return [];
    return [{ ...rest, lines: fresh, ...(end !== undefined && !ended && { end }) }];
  });
}

function show({ json, jsonLine, terminal, style }: CommandContext, runs: readonly LoggedRun[]): void {
  if (json) for (const run of runs) terminal.out(jsonLine(run));
  else terminal.out(renderLogs(runs, style));
}

function lineCount(given: FlagValue, program: string): number {
  if (given === undefined) return DEFAULT_LINES;
  if (typeof given === "string" && /^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw usageError(
    "--lines must be a whole number of at least 1.",
    `For example: ${program} logs files --lines 20`,
  );
}
