import type { Server } from "../model/index.ts";
import { catalogSubject, decide, type Workspace } from "./workspace.ts";

/** What the other servers that may run call their tools, as far as it is known. Connects to nothing. */
export async function namesOfOthers(workspace: Workspace, { name }: Server): Promise<ReadonlySet<string>> {
  const others = [...workspace.inventory().servers.values()].filter(
    (other) => other.name !== name && decide(workspace, other).allowed,
  );
  const known = await Promise.all(others.map((other) => workspace.catalogs.peek(catalogSubject(other))));
  return new Set(known.flatMap((each) => each?.catalog.tools.map((tool) => tool.name) ?? []));
}
