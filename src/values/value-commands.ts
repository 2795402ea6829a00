import { singleFlight } from "../model/index.ts";
import {
  type Environment,
  elapsed,
  isAbsolutePath,
  type Ports,
  type RunningProcess,
} from "../platform/index.ts";

/** What a command printed, or why there is nothing to use. What it says on standard error may be secret and is never told. */
export type CommandOutput = { readonly text: string } | { readonly failed: string };

export interface ValueCommands {
  /** Its trimmed output, run in this folder. A success is kept for as long as the program runs, a failure for half a minute. */
  value(command: string, folder: string): Promise<CommandOutput>;
  /** The same for what is meant to be asked again each time, with a few more variables. */
  fresh(command: string, folder: string, variables: Readonly<Record<string, string>>): Promise<CommandOutput>;
}

export const LONGEST_RUN_MS = 10_000;
export const MOST_OUTPUT: number = 64 * 1024;
export const FAILURE_KEPT_MS = 30_000;

const NOT_STARTED = "could not be started";

type CommandPorts = Pick<Ports, "processes" | "clock">;

/** Commands that print a value. Those who ask at the same time share one run. When the signal fires, those that run end. */
export function createValueCommands(
  ports: CommandPorts,
  environment: Environment,
  signal?: AbortSignal,
): ValueCommands {
  const kept = new Map<string, string>();
  const failures = new Map<string, { readonly until: number; readonly output: CommandOutput }>();
  const running = new Map<string, Promise<CommandOutput>>();

  const run = async (
    command: string,
    folder: string,
    variables: Readonly<Record<string, string>>,
  ): Promise<CommandOutput> => {
    const output = await runCommand(ports, environment, command, { folder, variables, signal });
    const until = elapsed(ports.clock) + FAILURE_KEPT_MS;
    const key = keyOf(command, folder, variables);
    if ("failed" in output) failures.set(key, { until, output });
    else failures.delete(key);
    return output;
  };
  const shared = (
    command: string,
    folder: string,
    variables: Readonly<Record<string, string>>,
  ): Promise<CommandOutput> => {
    const key = keyOf(command, folder, variables);
    const failure = failures.get(key);
    if (failure !== undefined && elapsed(ports.clock) < failure.until) return Promise.resolve(failure.output);
    return singleFlight(running, key, () => run(command, folder, variables));
  };
  return {
    async value(command, folder) {
      const key = keyOf(command, folder, {});
      const known = kept.get(key);
      if (known !== undefined) return { text: known };
      const output = await shared(command, folder, {});
      if ("text" in output) kept.set(key, output.text);
      return output;
    },
    fresh: shared,
  };
}

const keyOf = (command: string, folder: string, variables: Readonly<Record<string, string>>): string =>
  JSON.stringify([command, folder, variables]);

/** Without a terminal and without input, in a process group of its own that ends with the time it has. */
async function runCommand(
  { processes, clock }: CommandPorts,
  { platform, variables }: Environment,
  command: string,
  more: {
    readonly folder: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<CommandOutput> {
  const { signal } = more;
  if (signal?.aborted) return CALLED_OFF;
  const given = Object.entries({ ...variables, ...more.variables }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  let child: RunningProcess;
  try {
    child = processes.spawn({
      command: "/bin/sh",
      args: ["-c", command],
      cwd: more.folder,
      env: withFixedPath(Object.fromEntries(given), platform),
      mayLeaveProcesses: true, // such as an agent that keeps a passphrase
    });
  } catch {
    return { failed: NOT_STARTED };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  let stopped: string | undefined;
  const stop = (why: string): void => {
    stopped ??= why;
    child.signal("SIGKILL");
  };
  child.onOutput((chunk) => {
    size += chunk.length;
    if (size > MOST_OUTPUT) stop(`printed more than ${MOST_OUTPUT / 1024} KB`);
    else chunks.push(chunk);
  });
  child.onErrorOutput(() => {}); // read, so that it never waits for a reader
  child.endInput();
  const callOff = (): void => stop(CALLED_OFF.failed);
  signal?.addEventListener("abort", callOff);
  const stopTimer = clock.after(LONGEST_RUN_MS, () => stop(`did not end within ${LONGEST_RUN_MS / 1000} s`));
  const end = await child.ended;
  stopTimer();
  signal?.removeEventListener("abort", callOff);
  if (stopped !== undefined) await endStrays(child);
  child.release();
  if (stopped !== undefined) return { failed: stopped };
  if (end.failure !== undefined) return { failed: NOT_STARTED };
  if (end.code !== 0)
    return {
      failed: end.signal === undefined ? `ended with code ${end.code}` : `was ended by ${end.signal}`,
    };
  const text = Buffer.concat(chunks).toString("utf8").trim();
  return text === "" ? { failed: "printed nothing" } : { text };
}

/** Relative folders on PATH would let the working folder choose the programs. */
function withFixedPath(env: Record<string, string>, platform: string): Record<string, string> {
  const { PATH } = env;
  if (PATH === undefined) return env;
  const mark = platform === "win32" ? ";" : ":";
  const fixed = PATH.split(mark).filter((folder) => isAbsolutePath(platform, folder));
  return { ...env, PATH: fixed.join(mark) };
}

const CALLED_OFF = { failed: "was cancelled" };
const KILL_ROUNDS = 5;

/** Again while something is found, for what was started meanwhile. */
async function endStrays(child: RunningProcess): Promise<void> {
  for (
    let round = 0;
    round < KILL_ROUNDS && (await child.signalStrays("SIGKILL").catch(() => true));
    round += 1
  );
}
