import type { Problem } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { checkSources } from "../../values/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { valueContext } from "../lifecycle/value-context.ts";
import { describeSignIn } from "../sign-in/describe-sign-in.ts";
import { unusedSignIn } from "../sign-in/with-credentials.ts";
import { decide, type Workspace } from "../workspace.ts";

/** Returns a problem for each missing value and each unused sign-in of the servers that may run. */
export async function checkValues(workspace: Workspace, only?: string): Promise<readonly Problem[]> {
  const servers =
    only === undefined ? [...workspace.inventory().servers.values()] : [findServer(workspace, only)];
  const found = await mapYielding(servers, async (server) => {
    const { launch } = server;
    if (launch === undefined || !decide(workspace, server).allowed) return [];
    const problems = await checkSources(server, launch, valueContext(workspace, server));
    const signIn = await describeSignIn(workspace, server);
    return signIn?.unused === undefined
      ? problems
      : [...problems, unusedSignIn(server, signIn.id, signIn.unused)];
  });
  return found.flat();
}
