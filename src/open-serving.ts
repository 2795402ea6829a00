import { fileURLToPath } from "node:url";
import { openHost } from "./host.ts";
import type { Host, HostOptions } from "./host-api.ts";
import { HostError } from "./model/index.ts";
import { programServers } from "./operations/index.ts";
import { nodeListener } from "./platform/node/index.ts";
import { createServing, type Serving, type ServingOptions } from "./serving/index.ts";

/** The dashboard's files. This code can be in a chunk beside or below the entry file, or not be built. */
const PAGE_FOLDER = fileURLToPath(
  import.meta.url.replace(/^(.*)\/(?:dist|src)\/.*$/, "$1/dist/surfaces/dashboard"),
);

/** A host, and what serves it to clients. */
export interface OpenedServing {
  readonly host: Host;
  readonly serving: Serving;
  close(): Promise<void>;
}

/** Opens a host that clients can use. Reads config files, and starts no server before its first use. */
export async function openServing(options: HostOptions, offer: ServingOptions): Promise<OpenedServing> {
  let opened: Serving | undefined;
  const host = await openHost({ ...options, interaction: "forbid" }, programServers(options.servers), {
    onWorkspace(workspace, openScope, own) {
      const source = { workspace, openScope, host: own, listener: nodeListener, pageFolder: PAGE_FOLDER };
      opened = createServing(source, offer);
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
