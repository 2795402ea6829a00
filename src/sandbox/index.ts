/** Sandbox profiles → arguments for the system's sandbox. */
export { bwrapArguments, HIDDEN_FILES, LIMITS } from "./bwrap-arguments.ts";
export { describeProfile } from "./describe-profile.ts";
export { listsAddress, permitsHost } from "./host-rules.ts";
export { bridgeWords, proxyVariables } from "./network-bridge.ts";
export { parseSandbox } from "./parse-sandbox.ts";
export type { SandboxPlan } from "./sandbox-plan.ts";
export { seatbeltProfile } from "./seatbelt-profile.ts";
export { syscallFilter } from "./syscall-filter.ts";
