/** Sandbox profiles → arguments for the system's sandbox. */
export { bwrapArguments, HIDDEN_FILES, LIMITS } from "./bwrap-arguments.ts";
export { describeProfile } from "./describe-profile.ts";
export { canonicalHost, listsAddress, permitsHost, portsOf } from "./host-rules.ts";
export { bridgeWords, NAME_FILES, proxyVariables } from "./network-bridge.ts";
export { parseSandbox } from "./parse-sandbox.ts";
export type { SandboxPlan } from "./sandbox-plan.ts";
export { seatbeltProfile } from "./seatbelt-profile.ts";
export { syscallFilter } from "./syscall-filter.ts";
