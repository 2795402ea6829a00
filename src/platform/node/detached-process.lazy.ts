import { spawn } from "node:child_process";
import { closeSync, constants, fstatSync, ftruncateSync, openSync } from "node:fs";

/** A longer log is emptied before the next start. */
const LONGEST_LOG = 1024 * 1024;

/** What to start, and where its output goes. */
export interface DetachedStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Output is added to it. Only the user can read it. */
  readonly logFile: string;
}

/** A process that outlives this one. */
export interface DetachedProcess {
  readonly pid: number | undefined;
  /** The length of the log before the start. */
  readonly logStart: number;
  /** Returns how it ended, if it did. */
  end(): string | undefined;
}

/** Starts this program as a process that outlives this one. */
export function startDetached({ args, cwd, env, logFile }: DetachedStart): DetachedProcess {
  const log = openSync(logFile, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);
  try {
    if (fstatSync(log).size > LONGEST_LOG) ftruncateSync(log);
    const logStart = fstatSync(log).size;
    const child = spawn(process.execPath, args, {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", log, log],
      windowsHide: true,
    });
    let end: string | undefined;
    child.once("error", (error) => {
      end = error.message;
    });
    child.once("exit", (code, signal) => {
      end = `it ended with ${signal ?? `exit code ${code ?? "unknown"}`}`;
    });
    child.unref();
    return { pid: child.pid, logStart, end: () => end };
  } finally {
    closeSync(log);
  }
}
