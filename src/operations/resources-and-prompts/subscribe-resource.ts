import type { ResourceListener } from "../../catalog/index.ts";
import { onServer, unlessCancelled } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";

/** Subscribes to changes of a resource, also after reconnections. Resolves with an unsubscribe function. */
export function subscribeResource(
  workspace: Workspace,
  name: string,
  uri: string,
  listener: ResourceListener,
  signal?: AbortSignal,
): Promise<() => Promise<void>> {
  return onServer(workspace, { server: name, signal }, async ({ use, connect }) => {
    const prepare = async () => ({ server: await use(), connection: await connect() });
    const { server, connection } = await unlessCancelled(signal, prepare, name);
    const { timeoutMs } = server;
    const subscribing = workspace.subscriptions.subscribe(connection, { uri, timeoutMs, listener });
    return unlessCancelled(signal, () => subscribing, name).catch((error: unknown) => {
      subscribing.then((unsubscribe) => unsubscribe()).catch(() => undefined); // the caller cannot do it
      throw error;
    });
  });
}
