import type { Connection } from "../../connection/index.ts";
import type { JsonObject } from "../../model/index.ts";
import { seesServer } from "../access/check-rights.ts";
import type { Client, ClientRequest } from "../client-request.ts";
import { sees } from "../endpoint.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";
import type { UpstreamCall, UpstreamScope } from "../upstream/upstreams.ts";
import { requestedLevel } from "./upstream-params.ts";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
/** The level of a legacy client that requested none, once another client has changed the server's level. */
const USUAL_LEVEL = "info";
const SET_LEVEL_MS = 5_000;

/** The log level of one legacy server. */
interface ServerLevel {
  readonly connection: Connection;
  /** `undefined` until a level is set. Until then, the server decides what it sends. */
  current: string | undefined;
  /** Settles when the server has answered the last request. `undefined` if it has. */
  setting: Promise<void> | undefined;
}

/**
 * The log levels of legacy servers. On a shared connection, the server sends the lowest level that any client requested, and each client
 * gets its own level and above. A level is never raised again, because the client that requested it may still be connected.
 */
export class LogLevels {
  readonly #servers = new Map<UpstreamScope, Map<string, ServerLevel>>();
  readonly #first: string | undefined;

  /** `first` is the level that every connection starts with, if the host sets one. */
  constructor(first: string | undefined) {
    this.#first = first;
  }

  /** Handles a new connection: requests the level that its clients want. */
  connected(scope: UpstreamScope, connection: Connection): void {
    const { facts, server, ended } = connection;
    if (facts.era !== "legacy" || !facts.capabilities.includes("logging")) return;
    const servers = this.#servers.get(scope) ?? new Map<string, ServerLevel>();
    this.#servers.set(scope, servers);
    const state: ServerLevel = { connection, current: this.#first, setting: undefined };
    servers.set(server, state);
    void ended.then(() => {
      if (servers.get(server) === state) servers.delete(server);
      if (servers.size === 0) this.#servers.delete(scope);
    });
    for (const { logLevel } of scope.clients) lower(state, logLevel);
  }

  /** Sets the level of a legacy client for all servers that it uses. */
  setLevel(client: Client, level: unknown): void {
    if (!isLevel(level)) throw new RpcError(INVALID_PARAMS, `The level must be one of ${LEVELS.join(", ")}.`);
    if (client.isStateless === true) return; // it has no stream for logs, and others would get the level
    client.logLevel = level;
    for (const [scope, servers] of this.#servers)
      if (scope.clients.has(client)) for (const state of servers.values()) lower(state, level);
  }

  /**
   * Returns a promise that resolves when a legacy server has accepted a level that includes what this request wants; `undefined` if it has
   * already.
   */
  prepare(scope: UpstreamScope, server: string, request: ClientRequest): Promise<void> | undefined {
    const state = this.#servers.get(scope)?.get(server);
    if (state === undefined) return undefined;
    lower(state, request.era === "modern" ? requestedLevel(request) : request.client.logLevel);
    return state.setting;
  }

  /**
   * Passes on a server's log message: to the call that it belongs to or, if that is unknown, to all legacy clients of the connection that
   * requested a level.
   */
  relay(scope: UpstreamScope, server: string, params: JsonObject, call: UpstreamCall | undefined): void {
    const { level } = params;
    if (call !== undefined) {
      const changed = this.#servers.get(scope)?.get(server)?.current;
      const byDefault = changed === undefined ? LEVELS[0] : USUAL_LEVEL;
      const wanted = call.facts.era === "modern" ? call.logLevel : (call.client.logLevel ?? byDefault);
      if (isLogged(level, wanted)) call.notify("notifications/message", named(call.client, server, params));
      return;
    }
    for (const client of scope.clients)
      if (
        sees(client.endpoint, server) &&
        seesServer(client.rights, server) &&
        isLogged(level, client.logLevel)
      )
        client.notify("notifications/message", named(client, server, params));
  }
}

/** Requests a level from the server if it is lower than the current one. A server that refuses keeps its own level. */
function lower(state: ServerLevel, level: string | undefined): void {
  if (!isLevel(level)) return;
  if (state.current !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(state.current)) return;
  state.current = level;
  const set = async (): Promise<void> => {
    await state.connection.request("logging/setLevel", { level }, { timeoutMs: SET_LEVEL_MS });
  };
  const setting = (state.setting ?? Promise.resolve())
    .then(set)
    .catch(() => {})
    .finally(() => {
      if (state.setting === setting) state.setting = undefined;
    });
  state.setting = setting;
}

function isLevel(level: unknown): level is string {
  return typeof level === "string" && LEVELS.includes(level);
}

/** Returns whether a log message is at least as severe as a client wants. */
function isLogged(level: unknown, wanted: string | undefined): boolean {
  return isLevel(wanted) && LEVELS.indexOf(String(level)) >= LEVELS.indexOf(wanted);
}

/** Adds the server to a log message if the client sees several. */
function named({ endpoint }: Client, server: string, params: JsonObject): JsonObject {
  if (endpoint.verbatim !== undefined) return params;
  const { logger } = params;
  return { ...params, logger: typeof logger === "string" ? `${server}/${logger}` : server };
}
