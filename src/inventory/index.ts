/** Declarations → servers: each understood and checked, one owner per name, nothing lost. Pure. */
export type { Defaults } from "./interpret.ts";
export { interpret } from "./interpret.ts";
export type { MergeRules } from "./merge.ts";
export { mergeEntries } from "./merge.ts";
