import { decide, type Workspace } from "../workspace.ts";

/** Starts the servers with `eager: true` that may run. Does not wait for them; their states show failures. */
export function startEager(workspace: Workspace, names: Iterable<string>): void {
  const { options, supervisor } = workspace;
  const { servers } = workspace.inventory();
  for (const name of options.eager ? names : []) {
    const server = servers.get(name);
    if (server?.eager !== true || !decide(workspace, server).allowed) continue;
    supervisor.connect(name).catch(() => undefined);
  }
}
