import { HostError, nearest, type Server } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";

/** The server of that name, or an error that suggests the nearest. */
export function findServer({ inventory }: Workspace, name: string): Server {
  const { servers } = inventory();
  const server = servers.get(name);
  if (server !== undefined) return server;
  const close = nearest(name, servers.keys());
  const known = [...servers.keys()].slice(0, 12).join(", ");
  let hint = known === "" ? "No server is configured." : `Configured: ${known}.`;
  if (close !== undefined) hint = `Did you mean "${close}"?`;
  throw new HostError("SERVER_UNKNOWN", `There is no server "${name}".`, { server: name, hint });
}
