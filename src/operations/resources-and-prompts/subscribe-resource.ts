import type { ResourceListener } from "../../catalog/index.ts";
import { onServer } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";

/** Has a server say when a resource changes, on this connection and on those that follow it. The answer stops it. */
export function subscribeResource(
  workspace: Workspace,
  name: string,
  uri: string,
  listener: ResourceListener,
): Promise<() => Promise<void>> {
  return onServer(workspace, { server: name }, async ({ use, connect }) => {
    const { timeoutMs } = await use();
    return workspace.subscriptions.subscribe(await connect(), { uri, timeoutMs, listener });
  });
}
