import { randomUUID } from "node:crypto";
import { findPerson } from "./access/index.ts";
import type { HostOptions } from "./host-api.ts";
import { platformOf } from "./host-source.ts";
import {
  forgetLostKey,
  type ImportedData,
  importLocalData,
  migrateStore,
  openStore,
  readStoreSettings,
  readStoreVariables,
  type Store,
  type StoreContext,
  type StoreSettings,
} from "./store/index.ts";
import { announceNode } from "./team/announce-node.ts";
import { loadTeamConfig } from "./team/team-config.ts";
import { VERSION } from "./version.ts";

/** Returns the settings of a team's database, from its config file or else from the environment. `undefined` means that the data is in files. */
export async function findStoreSettings(
  options: HostOptions,
  configFile: string | undefined,
): Promise<StoreSettings | undefined> {
  const { ports, environment } = platformOf(options);
  if (configFile === undefined) return readStoreVariables(environment.variables);
  const { database, keys, audit } = await loadTeamConfig(configFile, ports.files, environment);
  return database && readStoreSettings({ database, keys, audit });
}

/** Opens the store of a team for a command that does not act as a gateway. */
export function openTeamStore(settings: StoreSettings, options: HostOptions): Promise<Store> {
  return openStore(settings, { ...contextOf(options), isGateway: false });
}

/** Replaces the keys for new values, and re-encrypts all stored ones. Returns how many values were re-encrypted. */
export async function rotateTeamKeys(settings: StoreSettings, options: HostOptions): Promise<number> {
  const store = await openTeamStore(settings, options);
  try {
    return await store.keys.rotate();
  } finally {
    await store.close();
  }
}

/** Copies this user's own sign-ins, secrets, approvals and reviewed tools to a person of the team. */
export async function importToTeam(
  settings: StoreSettings,
  options: HostOptions,
  wanted: string,
): Promise<ImportedData> {
  const store = await openTeamStore(settings, options);
  try {
    const { id } = await findPerson(store.people, wanted);
    return await importLocalData(store, platformOf(options), id);
  } finally {
    await store.close();
  }
}

/** Deletes the values that were encrypted with a lost key, or only counts them. */
export function forgetTeamKey(
  settings: StoreSettings,
  options: HostOptions,
  id: string,
  isConfirmed: boolean,
): Promise<Readonly<Record<string, number>>> {
  return forgetLostKey(settings, contextOf(options), id, isConfirmed);
}

/** Opens the store of a team for a gateway. Until it closes, the other gateways list this one. */
export async function openGatewayStore(settings: StoreSettings, options: HostOptions): Promise<Store> {
  const node = randomUUID();
  const context = contextOf(options);
  const store = await openStore(settings, { ...context, node });
  try {
    const leave = await announceNode(store, node, context.ports);
    return {
      ...store,
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

/** Brings the tables to the state that this version needs. Returns the names of the migrations that were applied. */
export function migrateTeamStore(settings: StoreSettings, options: HostOptions): Promise<readonly string[]> {
  return migrateStore(settings, contextOf(options));
}

function contextOf(options: HostOptions): StoreContext {
  const { ports, environment, places } = platformOf(options);
  return { ports, environment, stateFolder: places.state, version: VERSION };
}
