/** Server → decision: tiers and approvals. Pure: it decides and never asks. */
export type { GivenApproval } from "./approval.ts";
export { approvalStatus, launchHash } from "./approval.ts";
export type { ApprovalRequest } from "./approval-request.ts";
export { approvalRequest } from "./approval-request.ts";
export { decideServer } from "./decide.ts";
export type { LaunchChange } from "./launch-changes.ts";
