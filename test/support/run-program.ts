import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));

/** A user id that no account database knows. */
export const STRANGER = 54_321;

/** Why a test cannot run as another user; `undefined` when it can. */
export function whyNoSecondUser(): string | undefined {
  return process.getuid?.() === 0 ? undefined : "it needs root to run a program as another user";
}

export interface ProgramOptions {
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs it as another user. */
  readonly uid?: number;
}

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program with exactly this environment, which may lack a home folder. */
export function runProgram(
  args: readonly string[],
  { cwd, env, uid }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
