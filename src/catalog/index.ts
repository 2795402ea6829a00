/** Connection → catalog: what a server offers, read with bounds, kept on disk, refreshed when it says so. */
export type { Catalog } from "./catalog.ts";
export type { CatalogSubject, Catalogs, KnownCatalog } from "./catalogs.ts";
export { createCatalogs } from "./catalogs.ts";
