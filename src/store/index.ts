/** The shared data of a team's gateways: the port, and its implementations in files and on PostgreSQL. */
export type { AuditVerification, StoredAuditEntry } from "./audit-log.ts";
export type { GatewayNode, Lease, NodeStore, SessionRow } from "./cluster-records.ts";
export type { KeySource } from "./encryption/key-wrap.ts";
export type { TeamStore } from "./files/file-team-store.ts";
export { openFileTeamStore } from "./files/file-team-store.ts";
export { type ImportedData, importLocalData } from "./import-local-data.ts";
export { forgetLostKey, migrateStore, openStore } from "./open-store.ts";
export type { StoreContext, StoreSettings } from "./postgres/open-postgres-store.lazy.ts";
export type { Change, Store, StoreHealth } from "./store.ts";
export { readStoreSettings, readStoreVariables } from "./store-settings.ts";
export type {
  AccessToken,
  Person,
  PersonFacts,
  RemovedData,
  Role,
  Ticket,
  TokenStore,
} from "./team-records.ts";
