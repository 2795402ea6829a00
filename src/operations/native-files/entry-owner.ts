import { type EntryOwner, signInOrigins } from "../../auth/index.ts";
import type { ServerEntry } from "../../model/index.ts";
import { approvalRequest } from "../../policy/index.ts";
import type { Workspace } from "../workspace.ts";

/** Returns the file that defines an entry and, for a project's entry, the launch that the user approved. */
export function entryOwner({ inventory }: Workspace, server: ServerEntry): EntryOwner {
  const { approvals } = inventory();
  const { file, tier } = server.provenance;
  if (tier !== "project") return { file };
  const { status, hash } = approvalRequest(server, approvals);
  if (status !== "approved")
    return { file, project: { launch: undefined, approvedAt: undefined, origins: [] } };
  const given = approvals.find((approval) => approval.file === file && approval.server === server.name);
  const approvedAt = Date.parse(given?.approvedAt ?? "");
  return { file, project: { ...ifApproved(server, hash), approvedAt: approvedAt || undefined } };
}

/** Like `entryOwner`, but as if the user had approved the entry's current launch. */
export function approvedOwner(workspace: Workspace, server: ServerEntry): EntryOwner {
  const owner = entryOwner(workspace, server);
  if (owner.project === undefined || owner.project.launch !== undefined) return owner;
  const { hash } = approvalRequest(server, workspace.inventory().approvals);
  return { ...owner, project: ifApproved(server, hash) };
}

/** Approval covers only literal origins: the user has not seen an address that contains a variable. */
function ifApproved({ declaration }: ServerEntry, launch: string): NonNullable<EntryOwner["project"]> {
  return { launch, approvedAt: undefined, origins: signInOrigins(declaration.fields["oauth"]) };
}
