import { type Redactor, safeLine, safeText, truncate } from "../../model/index.ts";
import type { Environment, Ports, ProcessEnd } from "../../platform/index.ts";
import { type StdioLaunch, startProgram } from "../start-program.ts";
import { StdioChannel } from "../stdio-channel.ts";

export interface InstallerRun {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly redactor: Redactor;
  /** Stops the installer. */
  readonly signal: AbortSignal;
  /** Called with every line of output, with secrets masked. */
  onLine(line: string): void;
}

export interface InstallerEnd {
  readonly end: ProcessEnd | undefined;
  /** Its last lines, without progress lines. */
  readonly output: string;
}

const MOST_LINES = 12;
const LONGEST_LINE = 200;
/** npm prints such a line for each request, and one about the log files that Plugboard turns off. */
const NOISE = /^npm (?:http |error Log files were not written)/;

/** Runs an installer until it exits. If the signal aborts, rejects after all of its processes have ended. */
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
    if (NOISE.test(line)) return;
    lines.push(line);
    if (lines.length > MOST_LINES) lines.shift();
  };
  const log = { add, end: () => {}, saved: async () => {} };
  // A runner that ignores the extra options may start the server, which exits when its standard input closes.
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
