import { HostError, Secret } from "../../model/index.ts";
import type { SessionHeaders } from "../../session/index.ts";
import type { ResolvedServer } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Throws if a header is invalid or names a server that has no headers. The error never contains a value. */
export function checkSessionHeaders({ inventory }: Workspace, headers: SessionHeaders): void {
  for (const [server, fields] of Object.entries(headers)) {
    const known = inventory().servers.get(server);
    const { transport } = known?.launch ?? {};
    if (transport !== "http" && transport !== "sse") {
      const why = known === undefined ? "there is no such server" : "it is not a remote server";
      throw new HostError("USAGE_INVALID", `The session has headers for "${server}", but ${why}.`, {
        server,
      });
    }
    for (const [name, value] of Object.entries(fields))
      if (!NAME.test(name) || typeof value !== "string" || !VALUE.test(value))
        throw new HostError("USAGE_INVALID", `The session's header "${name}" for "${server}" is invalid.`, {
          server,
        });
  }
}

/** Returns whether a session has its own headers for a server. */
export function hasSessionHeaders({ headers }: Pick<Workspace, "headers">, server: string): boolean {
  return headers !== undefined && Object.hasOwn(headers, server);
}

/** Returns whether a session authorizes its requests to a server itself. Then no sign-in is used for them. */
export function setsAuthorization({ headers = {} }: Pick<Workspace, "headers">, server: string): boolean {
  const fields = Object.hasOwn(headers, server) ? (headers[server] ?? {}) : {};
  return Object.keys(fields).some((name) => name.toLowerCase() === "authorization");
}

/** Adds the session's headers to a server. They replace headers of the same name in the entry. */
export function withSessionHeaders({ headers = {} }: Workspace, resolved: ResolvedServer): ResolvedServer {
  const { name, launch } = resolved;
  const fields = Object.hasOwn(headers, name) ? Object.entries(headers[name] ?? {}) : [];
  if (fields.length === 0 || launch.transport === "stdio" || launch.transport === "in-process")
    return resolved;
  const replaced = new Set(fields.map(([field]) => field.toLowerCase()));
  const kept = [...launch.headers].filter(([field]) => !replaced.has(field.toLowerCase()));
  const added = fields.map(([field, value]) => [field, new Secret(value)] as const);
  return {
    ...resolved,
    launch: { ...launch, headers: new Map([...kept, ...added]) },
    hidden: [...resolved.hidden, ...fields.map(([, value]) => value)],
  };
}
