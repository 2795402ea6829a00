import type { Problem } from "../model/index.ts";
import { checkSources } from "../values/index.ts";
import { describeSignIn } from "./describe-sign-in.ts";
import { findServer } from "./find-server.ts";
import { valueContext } from "./value-context.ts";
import { unusedSignIn } from "./with-credentials.ts";
import { decide, type Workspace } from "./workspace.ts";

/** Which values have no answer now, and which sign-ins are not used, of the servers that may run. */
export async function checkValues(workspace: Workspace, only?: string): Promise<readonly Problem[]> {
  const servers =
    only === undefined ? [...workspace.inventory().servers.values()] : [findServer(workspace, only)];
  const found = servers.map(async (server) => {
    const { launch } = server;
    if (launch === undefined || !decide(workspace, server).allowed) return [];
    const problems = await checkSources(server, launch, valueContext(workspace, server));
    const signIn = await describeSignIn(workspace, server);
    return signIn?.unused === undefined
      ? problems
      : [...problems, unusedSignIn(server, signIn.id, signIn.unused)];
  });
  return (await Promise.all(found)).flat();
}
