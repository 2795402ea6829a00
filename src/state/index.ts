/** Plugboard's own files: state and caches that persist between runs. Files have mode 0600, folders 0700. */
export type { AllowedCall, AllowedCallRecords, AllowedCalls } from "./allowed-calls.ts";
export { allowedCallsOf } from "./allowed-calls.ts";
export type { ApprovalRecords, Approvals } from "./approvals.ts";
export {
  approvalsOf,
  createFileApprovals,
} from "./approvals.ts";
export type { Artifacts, SavedResult } from "./artifacts.ts";
export { createArtifacts, NO_ARTIFACTS } from "./artifacts.ts";
export type { AuditEntry, AuditFiles, AuditFilter, AuditKind, AuditOutcome } from "./audit-files.ts";
export { createAuditFiles } from "./audit-files.ts";
export type { CachedLists, CatalogCache, CatalogKey } from "./catalog-cache.ts";
export { catalogsOf, createFileCatalogs, NO_CATALOG_CACHE } from "./catalog-cache.ts";
export type { ConversationInfo, SavedConversation } from "./conversations.ts";
export { createConversationFiles, timeOf } from "./conversations.ts";
export type { Records } from "./create-stores.ts";
export { createStores } from "./create-stores.ts";
export type { DeferredWrites } from "./deferred-writes.ts";
export { createDeferredWrites } from "./deferred-writes.ts";
export type { Eras } from "./eras.ts";
export { createEras } from "./eras.ts";
export { createFileCredentials } from "./file-credentials.ts";
export { checkState, guardOwnFiles } from "./guard-own-files.ts";
export type { FolderContent, OwnFiles, RemovalFailure } from "./own-files.ts";
export { isLink, readOwnFolder, removeIfEmpty, removeOwnFiles } from "./own-files.ts";
export type { Layout } from "./own-layout.ts";
export { CACHE_LAYOUT, CONFIG_LAYOUT, mergeLayouts, STATE_LAYOUT } from "./own-layout.ts";
export type { OwnPaths } from "./own-paths.ts";
export { findOwnPaths } from "./own-paths.ts";
export type { PinRecords, SavedPins } from "./pins.ts";
export { createFilePins, pinsOf, withoutNewPins } from "./pins.ts";
export { principalPaths } from "./principal.ts";
export type { SaveArtifact } from "./program-artifacts.ts";
export { createProgramArtifacts } from "./program-artifacts.ts";
export type { SecretRecords } from "./secrets.ts";
export { createVaultSecrets } from "./secrets.ts";
export type { LoggedRun, LogLine, RunLog, ServerLogs } from "./server-logs.ts";
export { createServerLogs } from "./server-logs.ts";
export { createSessionFiles } from "./session-files.ts";
export type {
  Approval,
  ApprovalStore,
  CatalogStore,
  CredentialKey,
  CredentialStore,
  EntryLock,
  LaunchKey,
  PinStore,
  SecretStore,
  StoredCredential,
  Stores,
} from "./stores.ts";
export type { SavedTask, TaskFiles } from "./task-files.ts";
export { createTaskFiles } from "./task-files.ts";
export type { ToolNameRecords } from "./tool-names.ts";
export { createTemporaryToolNames, createToolNameRecords } from "./tool-names.ts";
export type { UsageFile } from "./usage-file.ts";
export { createUsageFile } from "./usage-file.ts";
export type { Vault } from "./vault.ts";
export { createVault } from "./vault.ts";
export { keychainEntry } from "./vault-key.ts";
