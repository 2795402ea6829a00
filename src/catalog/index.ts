/** Catalogs: servers' lists, read with size limits, cached on disk, and refreshed when the server announces a change. */
export { toolsChecksum } from "./cached-catalog.ts";
export type { Catalog } from "./catalog.ts";
export { CATALOG_KINDS, problemsOf, readCatalog } from "./catalog.ts";
export type { CatalogSubject, Catalogs, KnownCatalog } from "./catalogs.ts";
export { createCatalogs } from "./catalogs.ts";
export { listText } from "./list-text.ts";
export { isToolDefinition } from "./parse-items.ts";
export type { SharedLists } from "./shared-lists.ts";
export { createSharedLists } from "./shared-lists.ts";
export type { ResourceListener, ResourceSubscriptions } from "./subscriptions.ts";
export { createResourceSubscriptions } from "./subscriptions.ts";
export { wireOf } from "./wire-definitions.ts";
