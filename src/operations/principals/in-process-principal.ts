import { HostError, type Server } from "../../model/index.ts";
import type { ResolvedServer } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

/** Tells the program which principal a connection within its process is for. Throws for a server object. */
export function withPrincipal(
  { principal }: Pick<Workspace, "principal">,
  server: Server,
  resolved: ResolvedServer,
): ResolvedServer {
  const { launch } = resolved;
  if (principal === undefined || launch.transport !== "in-process") return resolved;
  const { source } = launch;
  if ("server" in source)
    throw new HostError(
      "CONNECT_FAILED",
      `Server "${server.name}" is an object with one connection, so principals cannot use it.`,
      { server: server.name, hint: 'Pass "transport": (principal) => … instead of "server".' },
    );
  return { ...resolved, launch: { ...launch, source: { transport: () => source.transport(principal) } } };
}
