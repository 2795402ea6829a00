/** Files → declarations: every product's config files, read by their own rules, with the place of every entry. */

export { declareToolloop } from "./declare-toolloop.ts";
export type { Cannot, Dialect, PortableServer } from "./dialects/dialect.ts";
export { isCannot } from "./dialects/dialect.ts";
export type { DiscoverContext, Discovery } from "./discover.ts";
export { declare, discover, PROVIDER_IDS } from "./discover.ts";
export { findWhere } from "./where.ts";

import type { Dialect } from "./dialects/dialect.ts";

/** How each product's files are written. Loaded when something is exported. */
export async function loadDialects(): Promise<readonly Dialect[]> {
  return (await import("./dialects/dialects.lazy.ts")).DIALECTS;
}
