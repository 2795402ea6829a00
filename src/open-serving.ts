import { fileURLToPath } from "node:url";
import { openHost } from "./host.ts";
import type { Host, HostOptions } from "./host-api.ts";
import { HostError } from "./model/index.ts";
import { programServers } from "./operations/index.ts";
import type { HttpListener } from "./platform/index.ts";
import { nodeListener, nodePorts } from "./platform/node/index.ts";
import { createServing, ResourceGuard, type Serving, type ServingOptions } from "./serving/index.ts";
import type { Store } from "./store/index.ts";

/** The dashboard's files. This code can be in a chunk beside or below the entry file, or not be built. */
const PAGE_FOLDER = fileURLToPath(
  import.meta.url.replace(/^(.*)\/(?:dist|src)\/.*$/, "$1/dist/surfaces/dashboard"),
);

/** A host, and the gateway that serves it to clients. */
export interface OpenedServing {
  readonly host: Host;
  readonly serving: Serving;
  close(): Promise<void>;
}

/** Parts that several gateways in one process can share. */
export interface ServingParts {
  readonly listener?: HttpListener;
  /** Default: a guard that watches this gateway's servers. */
  readonly guard?: ResourceGuard;
  /** The store of a team. It is closed with the gateway. Default: files. */
  readonly store?: Store | undefined;
}

/** Opens a host that clients can use. Reads config files and follows their changes. Starts no server before its first use. */
export async function openServing(
  options: HostOptions,
  offer: ServingOptions,
  { listener = nodeListener, guard, store }: ServingParts = {},
): Promise<OpenedServing> {
  let opened: Serving | undefined;
  const ownGuard = guard === undefined ? createOwnGuard(() => opened) : undefined;
  const { admit } = guard ?? ownGuard ?? {};
  const stores = { ...store?.stores, ...options.stores };
  const host = await openHost(
    { ...options, stores, interaction: "forbid" },
    programServers(options.servers),
    {
      admit,
      audit: store?.audit,
      onWorkspace(workspace, openScope, own) {
        const source = { workspace, openScope, listener, pages: { host: own, folder: PAGE_FOLDER } };
        opened = createServing(source, offer);
      },
    },
  );
  const serving = opened;
  if (serving === undefined) throw new HostError("INTERNAL_BUG", "The host has no workspace.");
  host.config.watch(); // until the host is closed
  return {
    host,
    serving,
    async close() {
      ownGuard?.stop();
      await serving.close();
      await host.close();
      await store?.close();
    },
  };
}

function createOwnGuard(opened: () => Serving | undefined): ResourceGuard {
  const { clock, processes } = nodePorts();
  return new ResourceGuard({
    servers: () => opened()?.processes() ?? [],
    limits: () => opened()?.resourceLimits(),
    clock,
    machineBytes: processes.memoryBytes,
  });
}
