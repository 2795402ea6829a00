import { runCli } from "./run-cli.ts";
import type { Sandbox } from "./sandbox.ts";

/** What `plugboard daemon status --json` prints. */
export interface DaemonStatus {
  readonly running: boolean;
  readonly pid?: number;
  readonly socket?: string;
  readonly clients?: readonly { readonly purpose: string; readonly cwd: string }[];
  readonly workspaces?: readonly {
    readonly cwd: string;
    readonly servers: readonly string[];
    readonly otherVariables: readonly string[];
  }[];
  /** The daemons of other versions. */
  readonly others?: readonly { readonly version: string; readonly draining: boolean }[];
}

export async function daemonStatus(sandbox: Sandbox): Promise<DaemonStatus> {
  const result = await runCli(["daemon", "status", "--json"], { sandbox });
  return result.json() as DaemonStatus;
}

/** Starts the daemon of a sandbox. Disposing stops it. */
export async function daemonIn(
  sandbox: Sandbox,
): Promise<DaemonStatus & { readonly pid: number } & AsyncDisposable> {
  const { code, stderr } = await runCli(["daemon", "start"], { sandbox });
  if (code !== 0) throw new Error(`the daemon did not start: ${stderr}`);
  const status = await daemonStatus(sandbox);
  const { pid } = status;
  // Tests signal this process, and the id 0 would stand for their own process group.
  if (pid === undefined) throw new Error(`the daemon has no status: ${JSON.stringify(status)}`);
  return {
    ...status,
    pid,
    async [Symbol.asyncDispose]() {
      const stopped = await runCli(["daemon", "stop"], { sandbox });
      if (stopped.code !== 0) throw new Error(`the daemon did not stop: ${stopped.stderr}`);
    },
  };
}
