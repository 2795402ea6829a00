import type { ResourceListener } from "../../catalog/index.ts";
import { onServer } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";

/** Subscribes to changes of a resource, also after reconnections. Resolves with an unsubscribe function. */
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
