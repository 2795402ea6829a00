import { randomUUID } from "node:crypto";
import type { Environment, Ports } from "../platform/index.ts";
import { type AuditFiles, createAuditFiles, type OwnPaths, type Stores } from "../state/index.ts";
import {
  openFileTeamStore,
  openStore,
  readStoreSettings,
  type Store,
  type StoreHealth,
  type TeamStore,
} from "../store/index.ts";
import { VERSION } from "../version.ts";
import { announceNode } from "./announce-node.ts";
import type { TeamConfig } from "./team-config.ts";

/**
 * How long a gateway stays ready while the database is unavailable. Otherwise, load balancers would remove all gateways during a short
 * outage.
 */
const READY_WITHOUT_STORE_MS = 30_000;

/** The storage of a team's gateway. */
export interface OpenedTeamStore {
  readonly team: TeamStore;
  readonly audit: AuditFiles;
  /** Sign-ins, approvals, pins and lists. `undefined` for files. */
  readonly stores?: Stores;
  /** The database, which several gateways share. `undefined` for files. */
  readonly shared?: Store;
  /** Identifies this process among the gateways. */
  readonly node: string;
  health(): Pick<StoreHealth, "isUp" | "spooledEntries" | "lostEntries">;
  /** Whether the gateway should get requests. */
  isReady(): boolean;
  close(): Promise<void>;
}

/** The dependencies for opening a store. */
export interface TeamStoreContext {
  readonly ports: Ports;
  readonly places: OwnPaths;
  readonly environment: Environment;
  /** `false` for a command, which is not a gateway. */
  readonly isGateway: boolean;
}

/** Opens the store: a database if the config names one, or else files. */
export async function openTeamStore(
  config: Pick<TeamConfig, "database" | "keys" | "audit" | "cluster">,
  context: TeamStoreContext,
): Promise<OpenedTeamStore> {
  const { database, keys, audit } = config;
  if (database === undefined) return openFiles(context);
  const { ports, places, environment, isGateway } = context;
  const node = randomUUID();
  const store = await openStore(readStoreSettings({ database, keys, audit }), {
    ports,
    environment,
    stateFolder: places.state,
    version: VERSION,
    node,
    isGateway,
  });
  try {
    // A node of a cluster announces itself when it can be reached.
    const leave =
      isGateway && config.cluster === undefined ? await announceNode(store, node, ports) : async () => {};
    const mayWait = database["whenDown"] !== "refuse";
    return {
      team: store,
      audit: store.audit,
      stores: store.stores,
      shared: store,
      node,
      health: () => store.health(),
      isReady() {
        const { isUp, seenAt } = store.health();
        return isUp || mayWait || ports.clock.now() - seenAt < READY_WITHOUT_STORE_MS;
      },
      async close() {
        await leave();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openFiles({ ports, places }: TeamStoreContext): Promise<OpenedTeamStore> {
  const team = await openFileTeamStore(ports, places);
  const audit = createAuditFiles(ports, places);
  return {
    team,
    audit,
    node: "",
    health: () => ({ isUp: true, spooledEntries: 0, lostEntries: 0 }),
    isReady: () => true,
    async close() {
      await audit.saved();
      await team.close();
    },
  };
}
