import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "../support/sandbox.ts";

const pathOf = (program: string): string => fileURLToPath(new URL(program, import.meta.url));

export interface WriterEnd {
  readonly how: number | NodeJS.Signals;
  /** What the host reported as written. */
  readonly acknowledged: readonly string[];
}

export interface Writer {
  readonly ended: Promise<WriterEnd>;
  /** Resolves once it has written this many. 0 means that it is ready. */
  wrote(count: number): Promise<void>;
  start(): void;
  kill(): void;
}

/** Starts a process that adds servers to the sandbox's user config. */
export function startWriter({ env, home }: Sandbox, prefix: string, count: number): Writer {
  const words = [pathOf("writer.mjs"), prefix, String(count)];
  return follow(spawn(process.execPath, words, { cwd: home, env: env() }), prefix);
}

/**
 * Starts a process that stores this many secrets, approvals (of the project's servers, starting at `from`) and pins.
 */
export function startStateWriter(
  { env, project }: Sandbox,
  prefix: string,
  count: number,
  url: string,
  from: number,
): Writer {
  const words = [pathOf("state-writer.mjs"), prefix, String(count), url, String(from)];
  return follow(spawn(process.execPath, words, { cwd: project, env: env() }), prefix);
}

function follow(child: ChildProcessWithoutNullStreams, prefix: string): Writer {
  let said = "";
  let complaints = "";
  const waiting = new Set<() => void>();
  child.stdin.on("error", () => {}); // it may have ended before it is told to start
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    for (const look of waiting) look();
  });
  /** Only complete lines count: a line that was cut off was not reported. */
  const lines = (): string[] => said.split("\n").slice(0, -1);
  const ended = new Promise<WriterEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (complaints === "") resolve({ how: signal ?? code ?? -1, acknowledged: lines().slice(1) });
      else reject(new Error(`${prefix} failed: ${complaints}`));
    });
  });
  const wrote = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (lines().length <= wanted) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      ended.then(() => reject(new Error(`${prefix} ended before it wrote ${wanted}`)), reject);
    });
  return {
    ended,
    wrote,
    start: () => void child.stdin.write("go\n"),
    kill: () => void child.kill("SIGKILL"),
  };
}
