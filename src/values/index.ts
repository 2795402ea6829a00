/** Server → resolved server: placeholders filled from the environment, late and only for what may run. */
export type { Expanded } from "./expand.ts";
export { expand } from "./expand.ts";
export type { ResolvedLaunch, ResolvedServer } from "./resolve.ts";
export { resolveServer } from "./resolve.ts";
