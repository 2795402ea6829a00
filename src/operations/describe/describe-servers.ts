import { findDuplicates } from "../../inventory/index.ts";
import { stateOf, type Workspace } from "../workspace.ts";
import { describeServer, describeShadowed, type ServerView } from "./describe-server.ts";

/** Every server by its name; on request also the entries that lost theirs, and who shares a connection with whom. */
export function describeServers(workspace: Workspace, all: boolean): ServerView[] {
  const servers = [...workspace.inventory().servers.values()];
  const groups = all ? findDuplicates(servers) : [];
  return servers.flatMap((server) => {
    const twins = groups.find((names) => names.includes(server.name))?.filter((name) => name !== server.name);
    return [
      {
        ...describeServer(server, stateOf(workspace, server), workspace.catalogs.problems(server.name)),
        ...(twins && { sameAs: twins }),
      },
      ...(all ? server.shadowed.map((entry) => describeShadowed(workspace, entry, server)) : []),
    ];
  });
}
