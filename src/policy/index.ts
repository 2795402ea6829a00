/** Server → decision: tiers and approvals. Pure: it decides and never asks. */
export type { ApprovalStatus, GivenApproval } from "./approval.ts";
export { approvalStatus, launchHash } from "./approval.ts";
export type { ApprovalRequest } from "./approval-request.ts";
export { approvalRequest } from "./approval-request.ts";
export type { Trust } from "./decide.ts";
export { decideServer } from "./decide.ts";
export type { LaunchChange } from "./launch-changes.ts";
export { launchChanges } from "./launch-changes.ts";
