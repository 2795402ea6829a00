/** Plugboard's own files: state and caches that persist between runs. Files have mode 0600, folders 0700. */
export type { Approval } from "./approvals.ts";
export {
  approvalsFile,
  approvalsUpdate,
  readApprovals,
  removeApprovals,
  writeApproval,
} from "./approvals.ts";
export type { Artifacts } from "./artifacts.ts";
export { createArtifacts } from "./artifacts.ts";
export type { CachedLists, CatalogCache, CatalogKey } from "./catalog-cache.ts";
export { createCatalogCache, NO_CATALOG_CACHE } from "./catalog-cache.ts";
export type { DeferredWrites } from "./deferred-writes.ts";
export { createDeferredWrites } from "./deferred-writes.ts";
export type { Eras } from "./eras.ts";
export { createEras } from "./eras.ts";
export { checkState, guardOwnFiles } from "./guard-own-files.ts";
export type { FolderContent, OwnFiles, RemovalFailure } from "./own-files.ts";
export { isLink, readOwnFolder, removeIfEmpty, removeOwnFiles } from "./own-files.ts";
export type { Layout } from "./own-layout.ts";
export { CACHE_LAYOUT, CONFIG_LAYOUT, mergeLayouts, STATE_LAYOUT } from "./own-layout.ts";
export type { OwnPaths } from "./own-paths.ts";
export { findOwnPaths } from "./own-paths.ts";
export type { PinFiles, SavedPins } from "./pins.ts";
export { createPinFiles, withoutNewPins } from "./pins.ts";
export type { LoggedRun, LogLine, RunLog, ServerLogs } from "./server-logs.ts";
export { createServerLogs } from "./server-logs.ts";
export type { ToolNameRecords } from "./tool-names.ts";
export { createTemporaryToolNames, createToolNameRecords } from "./tool-names.ts";
export type { EntryLock, Vault } from "./vault.ts";
export { createVault } from "./vault.ts";
export { keychainEntry } from "./vault-key.ts";
