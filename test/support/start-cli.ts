import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "./sandbox.ts";

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));

export interface CliOptions {
  readonly sandbox: Sandbox;
  /** Default: the sandbox's project. */
  readonly cwd?: string;
  /** On top of the sandbox's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to standard input, which then ends. */
  readonly input?: string;
}

export interface CliResult {
  /** `undefined` when a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as one JSON document. */
  json(): unknown;
}

export interface RunningCli extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CliResult>;
  /** The output so far, of both streams. */
  output(): string;
  /** Signals the program and its process group. */
  signalGroup(signal: NodeJS.Signals): void;
}

/** Starts the built program in its own process group. Its input stays open unless `input` is given. */
export function startCli(args: readonly string[], { sandbox, cwd, env, input }: CliOptions): RunningCli {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: cwd ?? sandbox.project,
    env: { ...sandbox.env(), ...env },
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {}); // it may end without reading its input
  if (input !== undefined) child.stdin.end(input);

  const ended = new Promise<CliResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      const json = (): unknown => parse(stdout, stderr);
      resolve({ code: code ?? undefined, signal: signal ?? undefined, stdout, stderr, json });
    });
  });
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      /* the group has ended */
    }
  };
  return {
    child,
    ended,
    output: () => `--- stdout\n${stdout}\n--- stderr\n${stderr}`,
    signalGroup,
    async [Symbol.asyncDispose]() {
      // A process that outlives a program that ended by itself is a leak, and the leak check must find it.
      if (child.exitCode === null && child.signalCode === null) signalGroup("SIGKILL");
      await ended;
    },
  };
}

function parse(stdout: string, stderr: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`No JSON on stdout: ${stdout}\n--- stderr\n${stderr}`, { cause });
  }
}
