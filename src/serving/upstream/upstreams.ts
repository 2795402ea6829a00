import { createHash } from "node:crypto";
import type { SharedLists } from "../../catalog/index.ts";
import type { Connection, ConnectionState, ServerRelay } from "../../connection/index.ts";
import {
  type CatalogKind,
  canonicalJson,
  isHostError,
  type JsonObject,
  type Server,
} from "../../model/index.ts";
import { shareOf, type Workspace } from "../../operations/index.ts";
import { nextTurn, settledWithin, unlessAborted } from "../../platform/index.ts";
import type { Client, ClientFacts } from "../client-request.ts";
import type { GuardedServer } from "../guard/resource-guard.ts";
import { refuseOwnGateway, viaGateway } from "../own-gateway.ts";
import { ownError } from "../rpc-error.ts";
import { ROOTS } from "../server-requests/client-roots.ts";
import { withoutClient } from "../server-requests/question.ts";
import type { SuspendableCall, Turn } from "../server-requests/suspendable-call.ts";
import { type CapabilityClass, capabilityClass } from "./capability-class.ts";

/** The idle time after which stdio servers stop, unless their entry sets another. */
const IDLE_STOP_MS = 600_000;
/** How many sets of capabilities have connections at the same time: of clients that share them, and of one client. */
const MOST_SHARED = 8;
const MOST_PER_CLIENT = 4;
/** How long the first call on a connection waits for the server to ask for roots. */
const ROOTS_MS = 500;

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
    onState(server: string): void;
  }): OpenedScope;
  onListChanged(server: string, kind: CatalogKind): void;
  onNotification(
    scope: UpstreamScope,
    server: string,
    method: string,
    params: JsonObject,
    origin?: object,
  ): void;
  /** Called with every new connection. */
  onConnection(scope: UpstreamScope, connection: Connection): void;
  /** Called when the state of a connection changed. */
  onState(server: string): void;
}

/** A client's call that a server is working on. The server's requests and notifications are passed on to the client. */
export interface UpstreamCall {
  readonly client: Client;
  readonly facts: ClientFacts;
  /** Answers a request of the server. Not set if the client's request cannot be interrupted. */
  readonly ask?:
    | ((method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>)
    | undefined;
  /** The log level that a modern request asks for. */
  readonly logLevel?: string | undefined;
  /** Aborts when the client cancels the call. The server may continue, and still send requests for it. */
  readonly signal: AbortSignal;
  /** A modern client's call, which waits while the client answers the server's requests. */
  readonly suspendable?: Pick<SuspendableCall<unknown>, "isSuspended"> & { turn: Turn | undefined };
  notify(method: string, params: JsonObject): void;
}

/** Connections for clients with the same capabilities: shared by the user's clients, or for one client. */
export interface UpstreamScope extends OpenedScope {
  readonly calls: Map<string, Set<UpstreamCall>>;
  /** The clients whose calls ended without the server's response, by server. Its later messages may belong to them. */
  readonly abandoned: Map<string, Client | "several clients">;
  /** How many calls and subscriptions use these connections. */
  uses: number;
  /** The clients that used these connections. */
  readonly clients: Set<Client>;
  /** The roots that servers get. If omitted, the client of the call is asked. */
  readonly roots: JsonObject | undefined;
  /** When a server has received the roots, by server. */
  readonly rooted: Map<string, PromiseWithResolvers>;
  /** When the calls before have ended, by server. */
  readonly turns: Map<string, Promise<void>>;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  resolve(): void;
}

/** The connections to servers, by owner and capabilities. */
export class Upstreams {
  readonly #options: UpstreamOptions;
  readonly #scopes = new Map<string, UpstreamScope>();
  /** Servers that sent a request that could not be attributed to a client. Their connections are no longer shared. */
  readonly #asking = new Set<string>();
  /** Legacy servers that asked for roots. They keep them, so clients with different roots have different connections. */
  readonly #askingForRoots = new Set<string>();

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /** Returns whether a server asks every new client for its roots. */
  asksForRoots({ name }: Server): boolean {
    return this.#askingForRoots.has(name);
  }

  /** Returns the connections that a client uses for a server. */
  scopeFor(client: Client, facts: ClientFacts, server: Server, roots?: JsonObject): UpstreamScope {
    const known = capabilityClass(facts, { roots: client.isLocal });
    const isOwn = shareOf(server) === "session" || this.#asking.has(server.name);
    const owner = `${isOwn ? client.id : ""}\0`;
    const key = `${owner}${known.id}${roots === undefined ? "" : `\0${sha256(canonicalJson(roots))}`}`;
    let scope = this.#scopes.get(key);
    if (scope === undefined) this.#makeRoom(owner, isOwn ? MOST_PER_CLIENT : MOST_SHARED);
    scope ??= this.#open(known, roots);
    this.#scopes.delete(key); // the most recently used one is last
    this.#scopes.set(key, scope);
    scope.clients.add(client);
    return scope;
  }

  /**
   * Returns a promise that resolves when a server that asks for roots has got them, so that its calls use them. Some servers ask only after
   * `initialize`. Returns `undefined` if there is nothing to wait for.
   */
  rootsSent({ roots, rooted }: UpstreamScope, server: string): Promise<void> | undefined {
    const sent = roots === undefined ? undefined : rooted.get(server);
    if (sent === undefined) return undefined;
    return settledWithin(this.#options.workspace.ports.clock, ROOTS_MS, sent.promise).then(() => {
      sent.resolve(); // calls that wait in the meantime, and the next ones, do not wait longer
      if (rooted.get(server) === sent) rooted.delete(server);
    });
  }

  /** Keeps connections open until the returned function is called. */
  hold(scope: UpstreamScope): () => void {
    scope.uses += 1;
    return () => {
      scope.uses -= 1;
    };
  }

  /** Registers a call while it runs. */
  async during<T>(
    scope: UpstreamScope,
    server: string,
    call: UpstreamCall,
    run: () => Promise<T>,
  ): Promise<T> {
    scope.uses += 1;
    const turn = this.#needsTurn(server, call) ? this.#turnOf(scope, server, call) : undefined;
    let calls: Set<UpstreamCall> | undefined;
    try {
      await turn?.take();
      if (call.suspendable !== undefined) call.suspendable.turn = turn;
      calls = scope.calls.get(server) ?? new Set();
      scope.calls.set(server, calls.add(call));
      return await run();
    } catch (error) {
      if (call.signal.aborted || isHostError(error, "CALL_TIMEOUT")) {
        const before = scope.abandoned.get(server) ?? call.client;
        scope.abandoned.set(server, before === call.client ? before : "several clients");
      }
      throw error;
    } finally {
      scope.uses -= 1;
      calls?.delete(call);
      turn?.end();
    }
  }

  /** Modern calls are unrelated, so a server that sends requests outside of any stream gets one call at a time. */
  #needsTurn(server: string, { facts }: UpstreamCall): boolean {
    return facts.era === "modern" && this.#asking.has(server);
  }

  #turnOf(scope: UpstreamScope, server: string, call: UpstreamCall): Turn {
    let end = (): void => {};
    return {
      take: async () => {
        end = await this.#takeTurn(scope, server, call);
      },
      end: () => end(),
    };
  }

  async #takeTurn(scope: UpstreamScope, server: string, { signal }: UpstreamCall): Promise<() => void> {
    const before = scope.turns.get(server) ?? Promise.resolve();
    let end = (): void => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    scope.turns.set(
      server,
      before.then(() => mine),
    );
    await unlessAborted(signal, () => before).catch((error: unknown) => {
      end();
      throw error;
    });
    return end;
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

  /** Returns the names of the servers in use, once per process. */
  running(): readonly string[] {
    return Array.from(this.#scopes.values())
      .flatMap(({ workspace }) => workspace.supervisor.inUse())
      .toSorted();
  }

  /** Returns the states of all connections to a server. */
  statesOf(server: string): ConnectionState[] {
    return this.workspaces().flatMap(({ supervisor }) => supervisor.state(server) ?? []);
  }

  /** Returns the workspaces of all connections, the most recently used first. */
  workspaces(): Workspace[] {
    return Array.from(this.#scopes.values(), ({ workspace }) => workspace).reverse();
  }

  /** Returns the running server processes. */
  processes(): readonly GuardedServer[] {
    return Array.from(this.#scopes).flatMap(([key, { workspace, clients }]) => {
      const { servers, settings } = workspace.inventory();
      return workspace.supervisor.uses().map((use) => ({
        ...use,
        clients: clients.size,
        share: key.startsWith("\0") ? ("user" as const) : ("session" as const),
        limitMb: servers.get(use.server)?.maxMemoryMb ?? settings.serverMemoryMb,
        restart: (why: string) => workspace.supervisor.restart(use.server, why),
        stop: () => void workspace.supervisor.close(use.server),
      }));
    });
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#scopes.values(), (scope) => scope.close()));
  }

  /** Closes the least recently used connections. */
  #makeRoom(owner: string, most: number): void {
    const owned = [...this.#scopes].filter(([key]) => key.startsWith(owner));
    if (owned.length < most) return;
    const unused = owned.find(([, { uses }]) => uses === 0);
    if (unused === undefined)
      throw ownError(
        "busy",
        "Could not connect: the gateway's clients already use too many different sets of capabilities. Try again later.",
      );
    const [key, scope] = unused;
    this.#scopes.delete(key);
    void scope.close();
  }

  #open({ id, announce }: CapabilityClass, roots: JsonObject | undefined): UpstreamScope {
    const { openScope, lists, onListChanged, onNotification, onState } = this.#options;
    const relay: ServerRelay = {
      announce,
      accept: (server, capabilities) => refuseOwnGateway(this.#options.workspace, server, capabilities),
      passOn: (item, capabilities) => viaGateway(this.#options.workspace, item, capabilities),
      answer: async (server, method, params, signal, origin) => {
        if (method === ROOTS) this.#askingForRoots.add(server);
        if (method === ROOTS && roots !== undefined) {
          void nextTurn().then(() => scope.rooted.get(server)?.resolve()); // the answer is sent before
          return roots;
        }
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
      onState,
      onConnection: (connection) => {
        scope.abandoned.delete(connection.server); // a new process has no earlier calls
        scope.rooted.set(connection.server, withResolvers());
        connection.onNotification((method, params, origin) =>
          onNotification(scope, connection.server, method, params, origin),
        );
        this.#options.onConnection(scope, connection);
      },
    });
    const scope: UpstreamScope = {
      ...opened,
      calls: new Map(),
      abandoned: new Map(),
      uses: 0,
      clients: new Set(),
      roots,
      rooted: new Map(),
      turns: new Map(),
    };
    return scope;
  }

  /** Returns the call that a server's request belongs to. If it could belong to another one, the server is no longer shared. */
  #callFor(scope: UpstreamScope, server: string, origin: object | undefined): UpstreamCall | undefined {
    const call = this.callOf(scope, server, origin);
    const others = Array.from(scope.calls.get(server) ?? []).filter((other) => other !== call);
    const isUnclear = call === undefined ? others.length > 0 : others.some(isSuspended);
    if (isUnclear && origin === undefined) this.#asking.add(server);
    return call;
  }

  /**
   * Returns the call that a server's message belongs to: the one on whose stream it arrived, or the only possible one. Several calls of one
   * legacy client count as one, because all of them reach the same user; the client may have dropped earlier ones. A call that waits for
   * answers sends nothing.
   */
  callOf(scope: UpstreamScope, server: string, origin: object | undefined): UpstreamCall | undefined {
    const calls = Array.from(scope.calls.get(server) ?? []);
    if (origin !== undefined) return calls.find((call) => call === origin);
    const running = calls.filter((call) => !isSuspended(call));
    const last = running.at(-1) ?? calls.at(-1);
    if (last === undefined) return undefined;
    const { client } = last;
    const isOne = client.isStateless !== true;
    const isClear = calls.every((call) => {
      if (call === last) return true;
      if (isSuspended(call)) return !isSuspended(last) && call.client.id === client.id;
      return isOne && isLegacy(call) && call.client === client;
    });
    return isClear && mayOnlyConcern(scope, server, client) ? last : undefined;
  }
}

function isSuspended({ suspendable }: UpstreamCall): boolean {
  return suspendable?.isSuspended === true;
}

function isLegacy({ facts }: UpstreamCall): boolean {
  return facts.era === "legacy";
}

/** Returns whether no other client has abandoned a call that the server may still be working on. */
function mayOnlyConcern({ abandoned }: UpstreamScope, server: string, client: Client): boolean {
  const before = abandoned.get(server);
  return before === undefined || (before === client && client.isStateless !== true);
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
