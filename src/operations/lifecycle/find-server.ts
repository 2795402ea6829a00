import { HostError, nearest, type Server, someNames } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";

/** Returns a server by name. Throws if it does not exist. */
export function findServer({ inventory }: Workspace, name: string): Server {
  const { servers } = inventory();
  const server = servers.get(name);
  if (server === undefined) throw unknownServer(name, servers);
  return server;
}

/** Returns an error that suggests the most similar name. */
export function unknownServer(name: string, servers: ReadonlyMap<string, Server>): HostError {
  const close = nearest(name, servers.keys());
  let hint =
    servers.size === 0 ? "No server is configured." : `Configured: ${someNames([...servers.keys()])}.`;
  if (close !== undefined) hint = `Did you mean "${close}"?`;
  return new HostError("SERVER_UNKNOWN", `Unknown server "${name}".`, { server: name, hint });
}
