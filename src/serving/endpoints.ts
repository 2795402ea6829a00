import { type Bundle, HostError, type Server } from "../model/index.ts";
import { chooseBundles, decide, type Workspace } from "../operations/index.ts";
import type { Endpoint } from "./endpoint.ts";
import { isGateway } from "./is-gateway.ts";
import type { GatewayLimits } from "./limits.ts";

/** What a gateway offers. */
export interface ServingOptions {
  /** Offer only these servers. */
  readonly servers?: readonly string[] | undefined;
  /** Offer only the tools in these bundles. */
  readonly bundles?: readonly string[] | undefined;
  /** Offer only tools that trusted servers declare as read-only. */
  readonly readOnly?: boolean | undefined;
  /** `plain` keeps the server's own names. It needs exactly one server in `servers`. Default: `prefixed`. */
  readonly names?: "prefixed" | "plain" | undefined;
  /**
   * `meta` offers three tools that find, describe and call the others. `auto` does so if the definitions cost more than the `toolTokens`
   * setting, or are more than `mostTools`. Does not affect `/mcp/s/<server>`. Default: `direct`.
   */
  readonly mode?: "direct" | "meta" | "auto" | undefined;
  /** With `mode: "auto"`, the most tools that clients get directly. Default: no limit. */
  readonly mostTools?: number | undefined;
  /** How long a list request waits for servers whose lists are not known yet, in milliseconds. Default: 2000. */
  readonly waitMs?: number | undefined;
  /** How much clients may use at once. */
  readonly limits?: Partial<GatewayLimits> | undefined;
}

/** Returns the endpoint with a path; `undefined` if there is none. */
export type FindEndpoint = (path: string) => Endpoint | undefined;

/** Checks the options and returns a function that finds endpoints. Throws if a server or bundle does not exist. */
export function createEndpoints(workspace: Workspace, options: ServingOptions): FindEndpoint {
  for (const name of options.servers ?? []) assertServer(workspace, name);
  chooseBundles(workspace, options.bundles);
  if (options.names === "plain" && options.servers?.length !== 1)
    throw new HostError("USAGE_INVALID", "Plain names could collide, so they need exactly one server.", {
      hint: "Name the server to offer.",
    });
  const isOffered = (name: string): boolean => options.servers?.includes(name) ?? true;
  const base = (): Omit<Endpoint, "path"> => ({
    servers: usableServers(workspace).filter(isOffered),
    bundles: chooseBundles(workspace, options.bundles),
    readOnly: options.readOnly,
    names: options.names ?? "prefixed",
    mode: options.mode ?? "direct",
    mostTools: options.mostTools,
  });
  return (path) => {
    if (path === "/mcp") return { path, ...base() };
    const [, kind, name] = /^\/mcp\/([sb])\/([^/?#]+)$/.exec(path) ?? [];
    const wanted = name === undefined ? undefined : decode(name);
    if (wanted === undefined) return undefined;
    const { servers = [], bundles, ...rest } = base();
    if (kind === "s")
      return servers.includes(wanted) && mayUse(bundles, wanted)
        ? { path, ...rest, bundles, servers: [wanted], verbatim: wanted, ...unapproved(workspace, wanted) }
        : undefined;
    const bundle = (bundles ?? workspace.inventory().bundles).find(({ id }) => id === wanted);
    return bundle && servers.includes(bundle.server)
      ? { path, ...rest, servers, bundles: [bundle], ...unapproved(workspace, bundle.server) }
      : undefined;
  };
}

function unapproved(workspace: Workspace, name: string): Pick<Endpoint, "unapproved"> {
  const server = workspace.inventory().servers.get(name);
  const decision = server && decide(workspace, server);
  return decision?.allowed === false && decision.reason === "untrusted" ? { unapproved: name } : {};
}

/** Servers that are gateways themselves are never served, because requests could loop. */
function usableServers({ inventory }: Workspace): string[] {
  return Array.from(inventory().servers.values())
    .filter((server) => !isGateway(server))
    .map(({ name }) => name);
}

function mayUse(bundles: readonly Bundle[] | undefined, server: string): boolean {
  return bundles === undefined || bundles.some((bundle) => bundle.server === server);
}

function assertServer({ inventory }: Workspace, name: string): Server {
  const server = inventory().servers.get(name);
  if (server !== undefined) return server;
  throw new HostError("SERVER_UNKNOWN", `Unknown server "${name}".`, { server: name });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
