import {
  type JsonObject,
  launchFields,
  maskLaunch,
  type Provenance,
  type ServerEntry,
} from "../model/index.ts";
import { type ApprovalStatus, approvalStatus, type GivenApproval, launchHash } from "./approval.ts";
import { type LaunchChange, launchChanges } from "./launch-changes.ts";

/** What a person is asked to approve, whole and unresolved. */
export interface ApprovalRequest {
  readonly server: string;
  readonly source: Provenance;
  readonly status: ApprovalStatus["kind"];
  /** Every declared field that the approval covers. */
  readonly launch: JsonObject;
  readonly hash: string;
  /** What is different from the launch that was approved before; secrets in plain text are not remembered, so not compared. */
  readonly changes: readonly LaunchChange[];
}

export function approvalRequest(entry: ServerEntry, given: readonly GivenApproval[]): ApprovalRequest {
  const status = approvalStatus(entry, given);
  const launch = launchFields(entry.declaration.fields);
  return {
    server: entry.name,
    source: entry.provenance,
    status: status.kind,
    launch,
    hash: launchHash(entry),
    changes: status.kind === "changed" ? launchChanges(maskLaunch(status.before), maskLaunch(launch)) : [],
  };
}
