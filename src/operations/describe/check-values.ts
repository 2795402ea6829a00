import { describePlace, type Problem, type Server } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { checkSources, missingInputs } from "../../values/index.ts";
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
    const problems = [...(await checkSources(server, launch, valueContext(workspace, server)))];
    problems.push(...(await unansweredInputs(workspace, server)));
    const signIn = await describeSignIn(workspace, server);
    return signIn?.unused === undefined
      ? problems
      : [...problems, unusedSignIn(server, signIn.id, signIn.unused)];
  });
  return found.flat();
}

async function unansweredInputs({ values }: Workspace, server: Server): Promise<Problem[]> {
  const { sources } = values;
  if (sources === undefined) return [];
  const { name, provenance } = server;
  return (await missingInputs(server, sources)).map(({ id }) => ({
    code: "value-unresolved",
    severity: "warning",
    message: `${describePlace(provenance)} server "${name}": the input "${id}" has no value yet; commands that use the server ask for it on a terminal`,
    server: name,
    file: provenance.file,
  }));
}
