import { HostError } from "../../model/index.ts";
import { approvalStatus, type GivenApproval } from "../../policy/index.ts";
import type { Workspace } from "../workspace.ts";

/** A recorded approval and whether it still applies. */
export interface ApprovalView {
  /** The name of the approved server. */
  readonly server: string;
  /** The config file that defined the server when it was approved. */
  readonly file: string;
  /** The hash of the approved launch. */
  readonly hash: string;
  /** When it was approved, as an ISO 8601 date and time. */
  readonly approvedAt?: string;
  /**
   * `"approved"`: the launch is unchanged. `"changed"`: the launch differs from the approved one. `"elsewhere"`: this host does not
   * read such an entry; it may belong to another project.
   */
  readonly status: "approved" | "changed" | "elsewhere";
}

/** Returns all recorded approvals, sorted by server and file. */
export function listApprovals({ inventory }: Workspace): ApprovalView[] {
  const { approvals, servers } = inventory();
  const statusOf = (approval: GivenApproval): ApprovalView["status"] => {
    const { file, server: name } = approval;
    const server = servers.get(name);
    const entry = server && [server, ...server.shadowed].find(({ provenance }) => provenance.file === file);
    if (entry === undefined) return "elsewhere";
    return approvalStatus(entry, [approval]).kind === "changed" ? "changed" : "approved";
  };
  return approvals
    .map((approval) => {
      const { server, file, hash, approvedAt } = approval;
      return {
        server,
        file,
        hash,
        ...(approvedAt !== undefined && { approvedAt }),
        status: statusOf(approval),
      };
    })
    .sort((left, right) => (`${left.server}\0${left.file}` < `${right.server}\0${right.file}` ? -1 : 1));
}

/** Removes the approvals of a server in this project and closes its connection. Its next use requires approval again. */
export async function revokeApproval(workspace: Workspace, name: string): Promise<ApprovalView[]> {
  const mine = listApprovals(workspace).filter(
    ({ server, status }) => server === name && status !== "elsewhere",
  );
  if (mine.length === 0) {
    throw new HostError("POLICY_NOT_NEEDED", `No server "${name}" was approved here.`, {
      server: name,
      hint: "Your own servers do not need approval. To stop using one, disable or remove it.",
    });
  }
  await workspace.stores.approvals.remove(mine);
  await workspace.supervisor.close(name);
  await workspace.reload();
  return mine;
}
