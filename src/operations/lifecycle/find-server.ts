import { HostError, nearest, type Server } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";

/** Returns a server by name. Throws an error that suggests the most similar name if it does not exist. */
export function findServer({ inventory }: Workspace, name: string): Server {
  const { servers } = inventory();
  const server = servers.get(name);
  if (server !== undefined) return server;
  const close = nearest(name, servers.keys());
  const known = [...servers.keys()].slice(0, 12).join(", ");
  let hint = known === "" ? "No server is configured." : `Configured: ${known}.`;
  if (close !== undefined) hint = `Did you mean "${close}"?`;
  throw new HostError("SERVER_UNKNOWN", `Unknown server "${name}".`, { server: name, hint });
}
