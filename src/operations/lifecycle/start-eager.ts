import { decide, type Workspace } from "../workspace.ts";

/** Starts those of the servers that ask for it and may run. Nobody waits for them; their states tell. */
export function startEager(workspace: Workspace, names: Iterable<string>): void {
  const { eager, supervisor } = workspace;
  const { servers } = workspace.inventory();
  for (const name of eager ? names : []) {
    const server = servers.get(name);
    if (server?.eager !== true || !decide(workspace, server).allowed) continue;
    supervisor.connect(name).catch(() => undefined);
  }
}
