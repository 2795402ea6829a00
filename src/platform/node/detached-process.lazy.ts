import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/** What to start, and where its output goes. */
export interface DetachedStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Replaced at every start. Only the user can read it. */
  readonly logFile: string;
}

/** Starts this program as a process that outlives this one. Returns a function that tells how it ended, if it did. */
export function startDetached({ args, cwd, env, logFile }: DetachedStart): () => string | undefined {
  const log = openSync(logFile, "w", 0o600);
  try {
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
    return () => end;
  } finally {
    closeSync(log);
  }
}
