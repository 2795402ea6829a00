/** Connection → catalog: what a server offers, read with bounds, kept on disk, refreshed when it says so. */
export type { CatalogSubject, Catalogs } from "./catalogs.ts";
export { createCatalogs } from "./catalogs.ts";
