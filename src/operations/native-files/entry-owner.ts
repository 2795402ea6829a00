import { type EntryOwner, signInOrigins } from "../../auth/index.ts";
import type { ServerEntry } from "../../model/index.ts";
import { approvalRequest } from "../../policy/index.ts";
import type { Workspace } from "../workspace.ts";

/** Where an entry stands, and for a repository's entry what the user approved of it. */
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

/** The same entry once the user approved it as it is now. */
export function approvedOwner(workspace: Workspace, server: ServerEntry): EntryOwner {
  const owner = entryOwner(workspace, server);
  if (owner.project === undefined || owner.project.launch !== undefined) return owner;
  const { hash } = approvalRequest(server, workspace.inventory().approvals);
  return { ...owner, project: ifApproved(server, hash) };
}

/** Only what is written out counts as approved: an address that a variable completes is not known to the user. */
function ifApproved({ declaration }: ServerEntry, launch: string): NonNullable<EntryOwner["project"]> {
  return { launch, approvedAt: undefined, origins: signInOrigins(declaration.fields["oauth"]) };
}
