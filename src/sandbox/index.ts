/** Sandbox profiles → arguments for the system's sandbox. */
export { bwrapArguments, HIDDEN_FILES, LIMITS } from "./bwrap-arguments.ts";
export { type ContainerUser, containerArguments } from "./container-arguments.ts";
export { describeProfile } from "./describe-profile.ts";
export { extendSandbox } from "./extend-sandbox.ts";
export { findDenials, isNetworkError } from "./find-denials.ts";
export { readGitConfig } from "./git-config.ts";
export { listsAddress, permitsHost, portsOf } from "./host-rules.ts";
export { bridgeWords, NAME_FILES, proxyVariables } from "./network-bridge.ts";
export { parseSandbox } from "./parse-sandbox.ts";
export { canRead, canWrite } from "./reach.ts";
export { readTrace } from "./read-trace.ts";
export { type SandboxPlan, TRACE_FILE } from "./sandbox-plan.ts";
export {
  CONTAINER_PROGRAMS,
  explainRefusal,
  REFUSAL_HINT,
  SANDBOX_PROGRAMS,
  TRIAL,
} from "./sandbox-programs.ts";
export { seatbeltProfile } from "./seatbelt-profile.ts";
export { syscallFilter } from "./syscall-filter.ts";
