import type { Catalog } from "../../catalog/index.ts";
import { MODERN_VERSION, type Server } from "../../model/index.ts";
import { catalogSubject, decide, type Workspace } from "../../operations/index.ts";
import type { Client, ClientFacts, ClientRequest } from "../client-request.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { unknownMethod } from "../relay/dispatch.ts";
import { unknownItem } from "./page-failure.ts";
import { shownServers } from "./shown-servers.ts";

/** The lists of a server, and the workspace that knows them. */
export interface KnownLists {
  readonly server: Server;
  readonly workspace: Workspace;
  readonly catalog: Catalog;
}

/** A page announces nothing to servers, because it cannot answer their requests. */
const FACTS: ClientFacts = {
  era: "modern",
  version: MODERN_VERSION,
  capabilities: {},
  info: { name: "dashboard" },
};

/** Servers and their lists, as pages use them. */
export class PageLists {
  readonly #context: GatewayContext;
  /** All pages count as one client, because they belong to the same user. */
  readonly #client: Client = {
    id: "dashboard",
    endpoint: { path: "/dashboard", names: "prefixed", mode: "direct" },
    isLocal: true,
    logLevel: undefined,
    notify: () => {},
  };

  constructor(context: GatewayContext) {
    this.#context = context;
  }

  /** Returns a server. Throws if it does not exist. */
  server(name: string): Server {
    const server = this.#context.workspace.inventory().servers.get(name);
    if (server === undefined) throw unknownItem(`There is no server "${name}".`);
    return server;
  }

  /** Returns the servers that may run, by name. */
  allowed(): Server[] {
    const { workspace } = this.#context;
    return shownServers(workspace)
      .filter((server) => decide(workspace, server).allowed)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Returns the lists of a server as last read, for whichever client; `undefined` if they are not known. Starts nothing. */
  async find(server: Server): Promise<KnownLists | undefined> {
    const { workspace: own, upstreams } = this.#context;
    const subject = catalogSubject(server);
    this.#openScope(server); // its lists may be cached on disk
    const found = await Promise.all(
      [own, ...upstreams.workspaces()].map(async (workspace) => {
        const catalog = (await workspace.catalogs.peek(subject))?.catalog;
        return catalog && { server, workspace, catalog };
      }),
    );
    return found
      .filter((known) => known !== undefined)
      .reduce<KnownLists | undefined>(
        (one, other) => (one && readAt(one) >= readAt(other) ? one : other),
        undefined,
      );
  }

  /** Returns the lists of all servers that may run, and the names of those whose lists are not known. */
  async all(): Promise<{ readonly known: KnownLists[]; readonly unknown: string[] }> {
    const servers = this.allowed();
    const found = await Promise.all(servers.map((server) => this.find(server)));
    return {
      known: found.filter((lists) => lists !== undefined),
      unknown: servers.filter((_, index) => found[index] === undefined).map(({ name }) => name),
    };
  }

  #openScope(server: Server): void {
    try {
      this.#context.upstreams.scopeFor(this.#client, FACTS, server);
    } catch {
      // clients use all connections that are allowed
    }
  }

  /** Uses a connection to a server for a page. The server's own requests are refused during this time, unless they belong to another client. */
  use<T>(name: string, signal: AbortSignal, run: (workspace: Workspace) => Promise<T>): Promise<T> {
    const { upstreams } = this.#context;
    const client = this.#client;
    const scope = upstreams.scopeFor(client, FACTS, this.server(name));
    const call = { client, facts: FACTS, signal, notify: () => {} };
    return upstreams.during(scope, name, call, () => run(scope.workspace));
  }

  /** Returns a request as if a client had sent it, so that it is recorded and limited in the same way. */
  request(method: string, params: ClientRequest["params"], signal: AbortSignal): ClientRequest {
    return {
      ...FACTS,
      client: this.#client,
      relayed: {},
      method,
      params,
      signal,
      notify: () => {},
      ask: (asked) => Promise.reject(unknownMethod(asked)),
    };
  }
}

function readAt({ catalog }: KnownLists): number {
  return catalog.readings.tools.readAt;
}
