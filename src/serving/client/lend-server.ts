import type { Connection } from "../../connection/index.ts";
import { type Era, HostError, type JsonObject, MODERN_VERSION, type Server } from "../../model/index.ts";
import type { Client, ClientFacts } from "../client-request.ts";
import type { GatewayContext } from "../gateway-context.ts";
import type { UpstreamScope } from "../upstream/upstreams.ts";
import { createLentClient, type LentClient } from "./lent-client.ts";

/** The request of a borrower. */
export interface WantedServer {
  readonly server: string;
  /** Identifies the launch that the borrower would start, see `launchDigest`. */
  readonly launch: string;
  /** What the borrower announces to servers. */
  readonly capabilities: JsonObject;
}

/** A server that was lent. */
export interface Lent {
  readonly era: Era;
  readonly client: LentClient;
}

/**
 * Opens the connection to a server and lends it, if the borrower would start the same launch. The daemon never starts a launch from the
 * request: it uses the config files and its own checks.
 */
export async function lendServer(
  context: GatewayContext,
  { server: name, launch, capabilities }: WantedServer,
  write: (line: string) => void,
): Promise<Lent> {
  // All borrowers of a folder count as one client, so that a browser stays open from one command to the next.
  const client: Client = {
    id: "borrowers",
    endpoint: {
      path: `/mcp/s/${encodeURIComponent(name)}`,
      servers: [name],
      names: "prefixed",
      verbatim: name,
      mode: "direct",
    },
    isLocal: true,
    logLevel: undefined,
    notify: () => {},
  };
  const facts: ClientFacts = { era: "modern", version: MODERN_VERSION, capabilities };
  const open = async (): Promise<
    { readonly server: Server; readonly scope: UpstreamScope; readonly connection: Connection } | undefined
  > => {
    const server = context.workspace.inventory().servers.get(name);
    if (server?.transport !== "stdio") return undefined;
    const scope = context.upstreams.scopeFor(client, facts, server);
    const connection = await scope.workspace.supervisor.connect(name);
    const started = scope.workspace.values.launches.get(connection.ended)?.();
    return started === launch ? { server, scope, connection } : undefined;
  };
  let opened = await open();
  if (opened === undefined) {
    await context.workspace.reload({ connect: false }); // the entry may have changed
    opened = await open();
  }
  if (opened === undefined)
    throw new HostError("LAUNCH_DIFFERS", `The daemon would start "${name}" in another way.`, {
      server: name,
    });
  return {
    era: opened.connection.facts.era,
    client: createLentClient(context, { ...opened, client, capabilities }, write),
  };
}
