import type { SharedLists } from "../../catalog/index.ts";
import type { Connection, ServerRelay } from "../../connection/index.ts";
import type { CatalogKind, JsonObject, Server } from "../../model/index.ts";
import { shareOf, type Workspace } from "../../operations/index.ts";
import type { Client, ClientFacts } from "../client-request.ts";
import { withoutClient } from "../server-requests/question.ts";
import { type CapabilityClass, capabilityClass } from "./capability-class.ts";

/** Stdio servers stop after this time without use, unless their entry says otherwise. */
const IDLE_STOP_MS = 600_000;

/** A workspace with its own connections, as the host creates it. */
export interface OpenedScope {
  readonly workspace: Workspace;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  readonly workspace: Workspace;
  readonly lists: SharedLists;
  openScope(options: {
    readonly capabilities: string;
    readonly relay: ServerRelay;
    readonly lists: SharedLists;
    readonly idleStopMs: number;
    onListChanged(server: string, kind: CatalogKind): void;
    onConnection(connection: Connection): void;
  }): OpenedScope;
  onListChanged(server: string, kind: CatalogKind): void;
  onNotification(
    scope: UpstreamScope,
    server: string,
    method: string,
    params: JsonObject,
    origin?: object,
  ): void;
}

/** A call of a client that is under way at a server. Server requests and notifications are passed on to its client. */
export interface UpstreamCall {
  readonly client: Client;
  readonly facts: ClientFacts;
  /** Answers a request of the server. Not set if the client's request cannot be interrupted. */
  readonly ask?:
    | ((method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>)
    | undefined;
  /** The log level that a modern request asks for. */
  readonly logLevel?: string | undefined;
  notify(method: string, params: JsonObject): void;
}

/** Connections for clients with the same capabilities: of all clients of the user, or of one client. */
export interface UpstreamScope extends OpenedScope {
  readonly calls: Map<string, Set<UpstreamCall>>;
  /** The clients that used these connections. */
  readonly clients: Set<Client>;
}

/** The connections to servers, by owner and capabilities. */
export class Upstreams {
  readonly #options: UpstreamOptions;
  readonly #scopes = new Map<string, UpstreamScope>();
  /** Servers that sent a request which could not be attributed. Their connections are no longer shared. */
  readonly #asking = new Set<string>();

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /** Returns the connections that a client uses for a server. */
  scopeFor(client: Client, facts: ClientFacts, server: Server): UpstreamScope {
    const known = capabilityClass(facts, { roots: client.isLocal });
    const isOwn = shareOf(server) === "session" || this.#asking.has(server.name);
    const key = `${isOwn ? client.id : ""}\0${known.id}`;
    const scope = this.#scopes.get(key) ?? this.#open(known);
    this.#scopes.set(key, scope);
    scope.clients.add(client);
    return scope;
  }

  /** Registers a call while it runs. */
  async during<T>(
    scope: UpstreamScope,
    server: string,
    call: UpstreamCall,
    run: () => Promise<T>,
  ): Promise<T> {
    const calls = scope.calls.get(server) ?? new Set();
    scope.calls.set(server, calls);
    calls.add(call);
    try {
      return await run();
    } finally {
      calls.delete(call);
    }
  }

  /** Closes the connections that only this client used. */
  async leave(client: Client): Promise<void> {
    const ending: Promise<void>[] = [];
    for (const [key, scope] of this.#scopes) {
      scope.clients.delete(client);
      if (!key.startsWith(`${client.id}\0`)) continue;
      this.#scopes.delete(key);
      ending.push(scope.close());
    }
    await Promise.all(ending);
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#scopes.values(), (scope) => scope.close()));
  }

  #open({ id, announce }: CapabilityClass): UpstreamScope {
    const { openScope, lists, onListChanged, onNotification } = this.#options;
    const relay: ServerRelay = {
      announce,
      answer: async (server, method, params, signal, origin) => {
        const call = this.#callFor(scope, server, origin);
        return call?.ask?.(method, params, signal) ?? withoutClient(method);
      },
    };
    const opened = openScope({
      capabilities: id,
      relay,
      lists,
      idleStopMs: IDLE_STOP_MS,
      onListChanged,
      onConnection: (connection) => {
        connection.onNotification((method, params, origin) =>
          onNotification(scope, connection.server, method, params, origin),
        );
      },
    });
    const scope: UpstreamScope = { ...opened, calls: new Map(), clients: new Set() };
    return scope;
  }

  /**
   * Returns the call that a server's request or notification belongs to: the one on whose stream it arrived, or the only one under way.
   * Several calls of one legacy client count as one, because any of them reaches the same user.
   */
  #callFor(scope: UpstreamScope, server: string, origin: object | undefined): UpstreamCall | undefined {
    const calls = scope.calls.get(server) ?? new Set();
    for (const call of calls) if (call === origin) return call;
    const [first, ...others] = calls;
    const isClear = others.every(({ client, facts }) => facts.era === "legacy" && client === first?.client);
    if (isClear) return first;
    this.#asking.add(server);
    return undefined;
  }

  /** Returns the call that a log message belongs to, if it is clear. */
  callOf(scope: UpstreamScope, server: string, origin: object | undefined): UpstreamCall | undefined {
    const calls = scope.calls.get(server) ?? new Set();
    for (const call of calls) if (call === origin) return call;
    const [only, other] = calls;
    return other === undefined ? only : undefined;
  }
}
