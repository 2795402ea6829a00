import type { Problem } from "../model/index.ts";
import { checkSources } from "../values/index.ts";
import { findServer } from "./find-server.ts";
import { valueContext } from "./value-context.ts";
import { decide, type Workspace } from "./workspace.ts";

/** Which values have no answer now, of the servers that may run. */
export async function checkValues(workspace: Workspace, only?: string): Promise<readonly Problem[]> {
  const servers =
    only === undefined ? [...workspace.inventory().servers.values()] : [findServer(workspace, only)];
  const found = servers.map(async (server) => {
    const { launch } = server;
    if (launch === undefined || !decide(workspace, server).allowed) return [];
    return checkSources(server, launch, valueContext(workspace, server));
  });
  return (await Promise.all(found)).flat();
}
