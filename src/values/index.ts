/** Server → resolved server: placeholders filled by their owner's rules, late and only for what may run. */
export { placeholdersIn } from "./expand.ts";
export type { MissingValue } from "./missing-values.ts";
export { findMissingValues } from "./missing-values.ts";
export { toNativeText } from "./native-text.ts";
export type { ResolvedLaunch, ResolvedServer } from "./resolve.ts";
export { resolveServer } from "./resolve.ts";
