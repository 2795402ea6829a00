import { type Redactor, safeLine, safeText, truncate } from "../../model/index.ts";
import type { Environment, Ports, ProcessEnd } from "../../platform/index.ts";
import { type StdioLaunch, startProgram } from "../start-program.ts";
import { StdioChannel } from "../stdio-channel.ts";

export interface InstallerRun {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly redactor: Redactor;
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Called with every line that it prints, secrets masked. */
  onLine(line: string): void;
}

export interface InstallerEnd {
  readonly end: ProcessEnd | undefined;
  /** Its last lines, progress left out. */
  readonly output: string;
}

const MOST_LINES = 12;
const LONGEST_LINE = 200;
/** npm prints such a line for each request. */
const PROGRESS = /^npm http /;

/** Runs an installer to its end. Rejects with the signal's reason once everything it started is gone. */
export async function runInstaller(
  launch: StdioLaunch,
  { ports, environment, redactor, signal, onLine }: InstallerRun,
): Promise<InstallerEnd> {
  signal.throwIfAborted();
  const lines: string[] = [];
  const add = (_: unknown, text: string): void => {
    const line = redactor.redact(text).trim();
    if (line === "") return;
    onLine(truncate(safeLine(line), LONGEST_LINE));
    if (PROGRESS.test(line)) return;
    lines.push(line);
    if (lines.length > MOST_LINES) lines.shift();
  };
  const log = { add, end: () => {}, saved: async () => {} };
  // A runner that does not understand what it is asked for may start the server, which ends at the end of its input.
  const started = startProgram(launch, { ports, environment }).then((child) => {
    child.endInput();
    return child;
  });
  const channel = new StdioChannel(launch, { ports, environment, log, started });
  const stop = (): void => void channel.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await channel.start(() => {});
    await channel.ended;
  } finally {
    signal.removeEventListener("abort", stop);
    await channel.close(); // install scripts may leave processes behind
  }
  signal.throwIfAborted();
  return { end: channel.end, output: truncate(safeText(lines.join("\n")), 2_000) };
}
