import type { ResourceListener } from "../../catalog/index.ts";
import { useServer } from "../lifecycle/use-server.ts";
import type { Workspace } from "../workspace.ts";

/** Has a server say when a resource changes, on this connection and on those that follow it. The answer stops it. */
export async function subscribeResource(
  workspace: Workspace,
  name: string,
  uri: string,
  listener: ResourceListener,
): Promise<() => Promise<void>> {
  const { timeoutMs } = await useServer(workspace, name);
  const connection = await workspace.supervisor.connect(name);
  return workspace.subscriptions.subscribe(connection, { uri, timeoutMs, listener });
}
