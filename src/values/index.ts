/** Server → resolved server: placeholders filled by their owner's rules, late and only for what may run. */
export { toNativeText } from "./native-text.ts";
export type { ResolvedLaunch, ResolvedServer } from "./resolve.ts";
export { resolveServer } from "./resolve.ts";
export { toNativePlaceholders } from "./to-native.ts";
