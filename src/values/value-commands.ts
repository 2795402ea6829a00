import { singleFlight } from "../model/index.ts";
import {
  type Environment,
  elapsed,
  isAbsolutePath,
  type Ports,
  type RunningProcess,
} from "../platform/index.ts";

/** The output of a command, or why it has none. Its standard error may contain secrets and is never shown. */
export type CommandOutput = { readonly text: string } | { readonly failed: string };

export interface ValueCommands {
  /**
   * Runs the command in this folder and returns its trimmed output. Caches successes for this run, failures for 30
   * seconds.
   */
  value(command: string, folder: string): Promise<CommandOutput>;
  /** Runs the command each time, with additional variables. Failures are cached. */
  fresh(command: string, folder: string, variables: Readonly<Record<string, string>>): Promise<CommandOutput>;
}

export const MAX_RUN_MS = 10_000;
export const MAX_OUTPUT_BYTES: number = 64 * 1024;
export const FAILURE_TTL_MS = 30_000;

const NOT_STARTED = "could not be started";

type CommandPorts = Pick<Ports, "processes" | "clock">;

/** Creates a runner for value commands. Concurrent requests share one run. The signal kills running commands. */
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
    const until = elapsed(ports.clock) + FAILURE_TTL_MS;
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

/** Runs the command without a terminal or input, in its own process group, with a time limit. */
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
  if (signal?.aborted) return CANCELLED;
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
      mayLeaveProcesses: true, // such as an agent that caches a passphrase
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
    if (size > MAX_OUTPUT_BYTES) stop(`printed more than ${MAX_OUTPUT_BYTES / 1024} KB`);
    else chunks.push(chunk);
  });
  child.onErrorOutput(() => {}); // drained, so that the command never blocks
  child.endInput();
  const cancel = (): void => stop(CANCELLED.failed);
  signal?.addEventListener("abort", cancel);
  const stopTimer = clock.after(MAX_RUN_MS, () => stop(`did not end within ${MAX_RUN_MS / 1000} s`));
  const end = await child.ended;
  stopTimer();
  signal?.removeEventListener("abort", cancel);
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

/** Removes relative folders from PATH, because they would let the working folder choose the programs. */
function withFixedPath(env: Record<string, string>, platform: string): Record<string, string> {
  const { PATH } = env;
  if (PATH === undefined) return env;
  const mark = platform === "win32" ? ";" : ":";
  const fixed = PATH.split(mark).filter((folder) => isAbsolutePath(platform, folder));
  return { ...env, PATH: fixed.join(mark) };
}

const CANCELLED = { failed: "was cancelled" };
const KILL_ROUNDS = 5;

/** Repeats while processes are found, because new ones may have started. */
async function endStrays(child: RunningProcess): Promise<void> {
  for (
    let round = 0;
    round < KILL_ROUNDS && (await child.signalStrays("SIGKILL").catch(() => true));
    round += 1
  );
}
