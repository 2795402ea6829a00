import { type Bundle, HostError, isGateway, type Server } from "../model/index.ts";
import { chooseBundles, decide, type Workspace } from "../operations/index.ts";
import type { Endpoint } from "./endpoint.ts";
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

/** Returns the endpoint with a path; `undefined` if there is none. Its rules follow the config files. */
export type FindEndpoint = (path: string) => Endpoint | undefined;

/** The rules of an endpoint that depend on the config files. */
type EndpointRules = Pick<Endpoint, "servers" | "bundles" | "unapproved">;

/** Checks the options and returns a function that finds endpoints. Throws if a server or bundle does not exist. */
export function createEndpoints(workspace: Workspace, options: ServingOptions): FindEndpoint {
  for (const name of options.servers ?? []) assertServer(workspace, name);
  chooseBundles(workspace, options.bundles);
  if (options.names === "plain" && options.servers?.length !== 1)
    throw new HostError("USAGE_INVALID", "Plain names could collide, so they need exactly one server.", {
      hint: "Name the server to offer.",
    });
  const isOffered = (name: string): boolean => options.servers?.includes(name) ?? true;
  const rulesOf = ({ kind, name }: EndpointName): EndpointRules | undefined => {
    const servers = usableServers(workspace).filter(isOffered);
    // A bundle may be removed while clients are connected. They must then not get all tools.
    const bundles =
      options.bundles && workspace.inventory().bundles.filter(({ id }) => options.bundles?.includes(id));
    if (kind === "all") return { servers, bundles };
    if (kind === "server")
      return servers.includes(name) && mayUse(bundles, name)
        ? { servers: [name], bundles, ...unapproved(workspace, name) }
        : undefined;
    const bundle = (bundles ?? workspace.inventory().bundles).find(({ id }) => id === name);
    return bundle && servers.includes(bundle.server)
      ? { servers, bundles: [bundle], ...unapproved(workspace, bundle.server) }
      : undefined;
  };
  const endpoints = new Map<string, { readonly endpoint: Endpoint; exists(): boolean }>();
  return (path) => {
    const name = readPath(path);
    if (name === undefined) return undefined;
    let known = endpoints.get(name.path);
    if (known === undefined) {
      const rules = followRules(workspace, () => rulesOf(name));
      if (rules === undefined) return undefined;
      known = { endpoint: createEndpoint(name, options, rules.current), exists: rules.exist };
      endpoints.set(name.path, known);
    }
    return known.exists() ? known.endpoint : undefined;
  };
}

/** The subject of an endpoint's path. */
interface EndpointName {
  /** The same for every spelling of a path. */
  readonly path: string;
  readonly kind: "all" | "server" | "bundle";
  /** The name of the server or the id of the bundle. */
  readonly name: string;
}

function readPath(path: string): EndpointName | undefined {
  if (path === "/mcp") return { path, kind: "all", name: "" };
  const [, kind, encoded] = /^\/mcp\/([sb])\/([^/?#]+)$/.exec(path) ?? [];
  const name = encoded === undefined ? undefined : decode(encoded);
  if (kind === undefined || name === undefined) return undefined;
  return {
    path: `/mcp/${kind}/${encodeURIComponent(name)}`,
    kind: kind === "s" ? "server" : "bundle",
    name,
  };
}

/** Returns the current rules, or the last ones if the endpoint no longer exists. Returns `undefined` if it never existed. */
function followRules(
  { inventory }: Workspace,
  read: () => EndpointRules | undefined,
): { current(): EndpointRules; exist(): boolean } | undefined {
  let from = inventory();
  let now = read();
  if (now === undefined) return undefined;
  let last = now;
  const refresh = (): void => {
    const current = inventory(); // a change of servers, approvals or bundles replaces it
    if (current === from) return;
    from = current;
    now = read();
    last = now ?? last;
  };
  return {
    current() {
      refresh();
      return last;
    },
    exist() {
      refresh();
      return now !== undefined;
    },
  };
}

/** Clients keep the endpoint for as long as they are connected, so its rules are read each time. */
function createEndpoint(
  { path, kind, name }: EndpointName,
  { readOnly, names = "prefixed", mode = "direct", mostTools }: ServingOptions,
  rules: () => EndpointRules,
): Endpoint {
  return {
    path,
    verbatim: kind === "server" ? name : undefined,
    readOnly,
    names,
    mode,
    mostTools,
    get servers() {
      return rules().servers;
    },
    get bundles() {
      return rules().bundles;
    },
    get unapproved() {
      return rules().unapproved;
    },
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
