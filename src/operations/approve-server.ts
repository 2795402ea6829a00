import {
  canonicalJson,
  HostError,
  type JsonObject,
  launchFields,
  maskLaunch,
  type Server,
  type ServerEntry,
} from "../model/index.ts";
import {
  type ApprovalRequest,
  approvalRequest,
  approvalStatus,
  type GivenApproval,
} from "../policy/index.ts";
import { writeApproval } from "../state/index.ts";
import { findServer } from "./find-server.ts";
import type { Workspace } from "./workspace.ts";

/** What approving the server of that name would mean. */
export function describeApproval(workspace: Workspace, name: string): ApprovalRequest {
  return approvalRequest(
    entryInQuestion(workspace, findServer(workspace, name)),
    workspace.inventory().approvals,
  );
}

/** Records a person's yes to the launch with that very hash; anything else is refused. */
export async function approveServer(
  workspace: Workspace,
  name: string,
  hash: string,
): Promise<ApprovalRequest> {
  const request = describeApproval(workspace, name);
  if (request.status === "notNeeded") {
    throw new HostError("POLICY_NOT_NEEDED", `Server "${name}" is your own; it needs no approval.`, {
      server: name,
    });
  }
  if (hash !== request.hash) {
    throw new HostError(
      "POLICY_HASH_MISMATCH",
      `Server "${name}" is not the launch that was looked at: its hash is ${request.hash}.`,
      {
        server: name,
        hint: "Look at it again, then approve that hash.",
      },
    );
  }
  await record(workspace, request);
  return { ...request, status: "approved", changes: [] };
}

/** Records the yes to what the person has just written into that file, and to nothing else of that name. */
export async function approveWritten(
  workspace: Workspace,
  name: string,
  file: string,
  fields: JsonObject,
): Promise<void> {
  const { servers, approvals } = workspace.inventory();
  const server = servers.get(name);
  const entry = server && [server, ...server.shadowed].find(({ provenance }) => provenance.file === file);
  if (entry === undefined || !isWaiting(entry, approvals)) return;
  const request = approvalRequest(entry, approvals);
  // Somebody else may have changed the file since.
  if (canonicalJson(request.launch) === canonicalJson(launchFields(fields))) await record(workspace, request);
}

async function record(
  workspace: Workspace,
  { server, source, hash, launch }: ApprovalRequest,
): Promise<void> {
  const { ports, places } = workspace;
  await writeApproval(ports, places, {
    file: source.file,
    server,
    hash,
    fields: maskLaunch(launch),
    approvedAt: new Date(ports.clock.now()).toISOString(),
  });
  await workspace.reload();
}

/** A project entry that waits for approval may stand behind a user's entry of the same name. */
export function entryInQuestion({ inventory }: Workspace, server: Server): ServerEntry {
  const { approvals } = inventory();
  return [server, ...server.shadowed].find((entry) => isWaiting(entry, approvals)) ?? server;
}

/** Does a project's entry wait for a person's yes? */
export function isWaiting(entry: ServerEntry, approvals: readonly GivenApproval[]): boolean {
  return ["missing", "changed"].includes(approvalStatus(entry, approvals).kind);
}
