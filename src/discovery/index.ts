/** Files → declarations: every product's config files, read by their own rules, with the place of every entry. */
export type { Cannot, Dialect, PortableServer } from "./dialects/dialect.ts";
export { isCannot } from "./dialects/dialect.ts";
export { DIALECTS } from "./dialects/index.ts";
export type { DiscoverContext, Discovery } from "./discover.ts";
export { declare, discover } from "./discover.ts";
export { findWhere } from "./where.ts";
