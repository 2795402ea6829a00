import { type Connection, connectServer } from "../connection/index.ts";
import { HostError, type Redactor } from "../model/index.ts";
import { type ResolvedLaunch, resolveServer } from "../values/index.ts";
import { permitted } from "./use-server.ts";
import type { Workspace } from "./workspace.ts";

/** Decides, fills in the values, connects: the only way a server ever starts. */
export async function openServer(
  workspace: Workspace,
  name: string,
  { signal, redactor }: { signal: AbortSignal; redactor: Redactor },
): Promise<Connection> {
  const server = permitted(workspace, name);
  if (server.launch === undefined)
    throw new HostError("INTERNAL_BUG", `Server "${name}" was allowed without a launch.`);
  const { ports, environment, events } = workspace;
  const resolved = resolveServer(server, server.launch, environment);
  for (const problem of resolved.problems) events.publish({ type: "problem", problem });
  for (const value of valuesOf(resolved.launch)) redactor.add(value);
  return connectServer(resolved, { ports, environment, redactor }, signal);
}

function valuesOf(launch: ResolvedLaunch): string[] {
  const secrets = launch.transport === "stdio" ? launch.env : launch.headers;
  return [...secrets.values()].map((secret) => secret.reveal());
}
