/** Server → decision: evaluates tiers, approvals and tool rules. Pure: never prompts the user. */
export type { GivenApproval } from "./approval.ts";
export {
  approvalHash,
  approvalOf,
  approvalStatus,
  isLaunchApproved,
  launchHash,
  requestHash,
  toApproval,
  withEnvFile,
} from "./approval.ts";
export type { ApprovalRequest } from "./approval-request.ts";
export { approvalRequest } from "./approval-request.ts";
export { decideServer } from "./decide.ts";
export { isTrusted } from "./decide-call.ts";
export { comparePolicies } from "./document/compare-policies.ts";
export type { PersonPolicy } from "./document/decide-access.ts";
export { policyFor } from "./document/decide-access.ts";
export type {
  PolicyDecision,
  PolicyDocument,
  PolicySubject,
  SubjectKind,
} from "./document/policy-document.ts";
export { readPolicy } from "./document/read-policy.ts";
export type { EnvFileNames } from "./env-file-names.ts";
export type { LaunchChange } from "./launch-changes.ts";
export type { LintFinding, NameLookup } from "./lint-tool.ts";
export { lintTool } from "./lint-tool.ts";
export type { ToolDifference } from "./pins.ts";
export { comparePins, listHash, pinnedFields, pinPolicy, toolHash } from "./pins.ts";
export { checkPolicy, createPolicyCheck } from "./policy-check.ts";
export type { CheckedTool, ToolDecision } from "./tool-decision.ts";
