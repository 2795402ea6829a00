import { HostError } from "../../model/index.ts";
import { approvalStatus, type GivenApproval } from "../../policy/index.ts";
import { removeApprovals } from "../../state/index.ts";
import type { Workspace } from "../workspace.ts";

/** A yes that was given, and whether it still means anything. */
export interface ApprovalView {
  readonly server: string;
  readonly file: string;
  readonly hash: string;
  readonly approvedAt?: string;
  /** `elsewhere`: no such entry is read from here; it may be another project's. */
  readonly status: "approved" | "changed" | "elsewhere";
}

/** Every yes there is, by server and file. */
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

/** Takes back every yes to a server of that name that this place has: it is ended, and asks again. */
export async function revokeApproval(workspace: Workspace, name: string): Promise<ApprovalView[]> {
  const mine = listApprovals(workspace).filter(
    ({ server, status }) => server === name && status !== "elsewhere",
  );
  if (mine.length === 0) {
    throw new HostError("POLICY_NOT_NEEDED", `No server "${name}" was approved here.`, {
      server: name,
      hint: "A server of your own needs no approval; to stop using it, disable or remove it.",
    });
  }
  const files = new Set(mine.map(({ file }) => file));
  await removeApprovals(
    workspace.ports,
    workspace.places,
    ({ server, file }) => server === name && files.has(file),
  );
  await workspace.supervisor.close(name);
  await workspace.reload();
  return mine;
}
