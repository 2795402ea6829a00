import type { Server } from "../../model/index.ts";
import { approvalOf, approvalStatus } from "../../policy/index.ts";
import { assertPermitted } from "../lifecycle/use-server.ts";
import type { Workspace } from "../workspace.ts";
import type { InstalledPackage, PackageRecord } from "./package-record.ts";

/**
 * Compares the installed package of an approved server with the one of its last start. If it was replaced, the server requires
 * approval again, even if its tools are the same. The first installed package is covered by the approval.
 */
export async function reviewPackage(
  workspace: Workspace,
  server: Server,
  record: PackageRecord | undefined,
): Promise<void> {
  if (record === undefined || record.packages.length === 0) return;
  const now = record.packages.map(describe).sort().join(", ");
  const { tier, file } = server.provenance;
  if (tier !== "project" || workspace.trustProject) return warnAboutOwn(workspace, server, record, now);
  const { list } = await workspace.stores.approvals.read(); // another process may have recorded the package in the meantime
  const given = approvalOf(list, file, server.name);
  if (given === undefined || approvalStatus(server, [given]).kind !== "approved") return;
  const before = given as (typeof list)[number];
  if (before.package === now) return;
  await workspace.stores.approvals.add([
    before.package === undefined ? { ...before, package: now } : { ...before, packageNow: now },
  ]);
  if (before.package === undefined) return;
  await workspace.readAgain();
  assertPermitted(workspace, server.name);
}

function describe({ name, version, integrity }: InstalledPackage): string {
  return [`${name}@${version}`, ...(integrity === undefined ? [] : [integrity])].join(" ");
}

/** Your own servers need no approval, so a replaced package is only reported, as changed tools are. */
function warnAboutOwn(
  { events, ports }: Workspace,
  { name }: Server,
  { replaced }: PackageRecord,
  now: string,
): void {
  if (replaced === undefined) return;
  const message = `server "${name}": its package was replaced: ${replaced} is now ${now.replaceAll(/ sha\d+-\S+/g, "")}`;
  ports.log.log("warn", "package.replaced", { server: name, before: replaced });
  events.publish({
    type: "problem",
    problem: { code: "package-replaced", severity: "warning", message, server: name },
  });
}
