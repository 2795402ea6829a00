import {
  approvedFields,
  approvedMembers,
  type JsonObject,
  maskLaunch,
  maskLaunchForStorage,
  type Provenance,
  type ServerEntry,
} from "../model/index.ts";
import {
  type ApprovalStatus,
  approvalStatus,
  coveredMembers,
  expansionSummary,
  type GivenApproval,
  requestHash,
} from "./approval.ts";
import type { EnvFileNames } from "./env-file-names.ts";
import { type LaunchChange, launchChanges } from "./launch-changes.ts";

/** What the user is asked to approve: complete, with placeholders unresolved. */
export interface ApprovalRequest {
  /** The server's name. */
  readonly server: string;
  /** The person whose approval is needed. Absent for the host's own user. */
  readonly principal?: string;
  /** Where the entry is defined. */
  readonly source: Provenance;
  /** Whether the launch is new, changed since its approval, or approved. */
  readonly status: ApprovalStatus["kind"];
  /** All declared fields that the approval covers, under Plugboard's names. */
  readonly launch: JsonObject;
  /** The entry as written in the file. */
  readonly entry: JsonObject;
  /** How `source.tool` expands the values. Part of what is approved. */
  readonly expansion: JsonObject;
  /** The hash to pass to `approvals.approve`. */
  readonly hash: string;
  /** The variables that its `envFile` sets. Only set when the user is about to be asked. */
  readonly envFile?: EnvFileNames;
  /** The changes since the last approval. Plain-text secrets are not stored, so they are not compared. */
  readonly changes: readonly LaunchChange[];
}

export function approvalRequest(entry: ServerEntry, given: readonly GivenApproval[]): ApprovalRequest {
  const status = approvalStatus(entry, given);
  const { declaration, name, provenance } = entry;
  return {
    server: name,
    source: provenance,
    status: status.kind,
    launch: approvedFields(declaration.fields),
    entry: approvedMembers(declaration),
    expansion: expansionSummary(declaration.expansion),
    hash: requestHash(entry, given),
    changes: status.kind === "changed" ? changesSince(status.before, entry) : [],
  };
}

function changesSince(
  before: GivenApproval,
  { declaration, provenance, defaultSandbox }: ServerEntry,
): LaunchChange[] {
  const { version, fields, reader, expansion, envFile, envFileNow, packageNow } = before;
  const now = version === undefined ? coveredMembers(declaration) : approvedFields(declaration.fields);
  const context = launchChanges(
    {
      ...(reader !== undefined && { reader }),
      ...(expansion !== undefined && { expansion }),
      ...(envFile !== undefined && { "envFile variables": envFile.names }),
      ...(packageNow !== undefined && { package: before.package ?? "" }),
      ...(before.sandbox !== undefined && { "chosen sandbox": before.sandbox }),
    },
    {
      reader: provenance.tool,
      expansion: expansionSummary(declaration.expansion),
      ...(envFileNow !== undefined && { "envFile variables": envFileNow.names }),
      ...(packageNow !== undefined && { package: packageNow }),
      ...(before.sandbox !== undefined && { "chosen sandbox": defaultSandbox ?? null }),
    },
  );
  const isRemoved = ({ field, after }: LaunchChange): boolean =>
    field === "envFile variables" && after === undefined;
  const shown = maskLaunch(now);
  return [
    ...context.filter((change) => !isRemoved(change)),
    // Only the approved values are stored as hashes. The current values are shown.
    ...launchChanges(maskLaunchForStorage(fields), maskLaunchForStorage(now)).map((change) => ({
      ...change,
      after: shown[change.field],
    })),
  ];
}
