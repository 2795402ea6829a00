import { mayChoose } from "../approvals/chosen-sandbox.ts";
import { decide, type Workspace } from "../workspace.ts";
import { missingSandbox } from "./missing-sandbox.ts";
import type { UnsandboxedServers } from "./sandbox-api.ts";

/** Finds the local servers that run without a sandbox although nothing says that they must. */
export async function findUnsandboxed(workspace: Workspace): Promise<UnsandboxedServers> {
  const { ports, environment, inventory } = workspace;
  const servers = [...inventory().servers.values()]
    .filter((server) => {
      const { launch, provenance } = server;
      const isFree = mayChoose(server) && launch?.transport === "stdio" && launch.sandbox === undefined;
      return isFree && provenance.scope !== "program" && decide(workspace, server).allowed;
    })
    .map(({ name }) => name);
  const unavailable = servers.length === 0 ? undefined : await missingSandbox(environment, ports);
  return { servers, ...(unavailable !== undefined && { unavailable }) };
}
