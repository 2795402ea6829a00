import { isGateway, type Server } from "../../model/index.ts";
import type { Workspace } from "../../operations/index.ts";

/** Returns the servers that pages show. Entries that start a gateway, as `export --gateway` writes them, need no approval: none is served. */
export function shownServers({ inventory }: Pick<Workspace, "inventory">): Server[] {
  return [...inventory().servers.values()].filter((server) => !isGateway(server));
}
