import { HostError, type Server, type ServerEntry } from "../model/index.ts";
import { type ApprovalRequest, approvalRequest, approvalStatus } from "../policy/index.ts";
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
  const { ports, places } = workspace;
  await writeApproval(ports, places, {
    file: request.source.file,
    server: name,
    hash: request.hash,
    fields: request.launch,
    approvedAt: new Date(ports.clock.now()).toISOString(),
  });
  await workspace.reload();
  return { ...request, status: "approved", changes: [] };
}

/** A project entry that waits for approval may stand behind a user's entry of the same name. */
function entryInQuestion({ inventory }: Workspace, server: Server): ServerEntry {
  const { approvals } = inventory();
  const waiting = [server, ...server.shadowed].find((entry) =>
    ["missing", "changed"].includes(approvalStatus(entry, approvals).kind),
  );
  return waiting ?? server;
}
