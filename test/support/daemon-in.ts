import { runCli } from "./run-cli.ts";
import type { Sandbox } from "./sandbox.ts";

/** What `plugboard daemon status --json` prints. */
export interface DaemonStatus {
  readonly running: boolean;
  readonly pid?: number;
  readonly socket?: string;
  readonly clients?: readonly { readonly purpose: string; readonly cwd: string }[];
  readonly workspaces?: readonly { readonly cwd: string; readonly servers: readonly string[] }[];
}

export async function daemonStatus(sandbox: Sandbox): Promise<DaemonStatus> {
  const result = await runCli(["daemon", "status", "--json"], { sandbox });
  return result.json() as DaemonStatus;
}

/** Starts the daemon of a sandbox. Disposing stops it. */
export async function daemonIn(sandbox: Sandbox): Promise<DaemonStatus & AsyncDisposable> {
  const { code, stderr } = await runCli(["daemon", "start"], { sandbox });
  if (code !== 0) throw new Error(`the daemon did not start: ${stderr}`);
  const status = await daemonStatus(sandbox);
  return {
    ...status,
    async [Symbol.asyncDispose]() {
      const stopped = await runCli(["daemon", "stop"], { sandbox });
      if (stopped.code !== 0) throw new Error(`the daemon did not stop: ${stopped.stderr}`);
    },
  };
}
