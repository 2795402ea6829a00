/** Files → declarations: every product's config files, read by their own rules, with the place of every entry. */
export type { DiscoverContext, Discovery } from "./discover.ts";
export { declare, discover } from "./discover.ts";
