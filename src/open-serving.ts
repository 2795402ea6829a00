import { openHost } from "./host.ts";
import type { Host, HostOptions } from "./host-api.ts";
import { HostError } from "./model/index.ts";
import { programServers } from "./operations/index.ts";
import type { HttpListener } from "./platform/index.ts";
import { nodeListener } from "./platform/node/index.ts";
import { createServing, type Serving, type ServingOptions } from "./serving/index.ts";

/** A host, and what serves it to clients. */
export interface OpenedServing {
  readonly host: Host;
  readonly serving: Serving;
  close(): Promise<void>;
}

/** Opens a host that clients can use. Reads config files, and starts no server before its first use. */
export async function openServing(
  options: HostOptions,
  offer: ServingOptions,
  listener: HttpListener = nodeListener,
): Promise<OpenedServing> {
  let opened: Serving | undefined;
  const host = await openHost({ ...options, interaction: "forbid" }, programServers(options.servers), {
    onWorkspace(workspace, openScope) {
      opened = createServing({ workspace, openScope, listener }, offer);
    },
  });
  const serving = opened;
  if (serving === undefined) throw new HostError("INTERNAL_BUG", "The host has no workspace.");
  return {
    host,
    serving,
    async close() {
      await serving.close();
      await host.close();
    },
  };
}
