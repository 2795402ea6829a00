import type { Problem } from "../../model/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { listAllTools } from "../tools/list-tools.ts";
import type { Workspace } from "../workspace.ts";

/** Returns problems in the cached lists of one server, or of all that may run. Does not connect. */
export async function checkTools(workspace: Workspace, only?: string): Promise<readonly Problem[]> {
  const { servers } = workspace.inventory();
  const names = only === undefined ? [...servers.keys()] : [findServer(workspace, only).name];
  await listAllTools(workspace, { connect: false, servers: names });
  const dropped = names.flatMap((name) => workspace.catalogs.problems(name));
  const held = workspace.tools.problems.all().filter(({ server = "" }) => names.includes(server));
  return [...dropped, ...held];
}
