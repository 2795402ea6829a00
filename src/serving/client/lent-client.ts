import type { Connection } from "../../connection/index.ts";
import { isJsonObject, type JsonObject, MODERN_VERSION, type Server } from "../../model/index.ts";
import { relayRequest } from "../../operations/index.ts";
import type { Client, ClientFacts, ClientRequest } from "../client-request.ts";
import { toClientError } from "../eras/to-client-error.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { dispatch } from "../relay/dispatch.ts";
import { listen } from "../relay/listen.ts";
import { INVALID_REQUEST, RpcError } from "../rpc-error.ts";
import type { UpstreamCall, UpstreamScope } from "../upstream/upstreams.ts";
import { type ClientMessage, type MessageId, toClientMessage } from "./client-messages.ts";
import { ClientRequests } from "./client-requests.ts";
import { toText } from "./to-text.ts";

/** The borrower has its own, shorter limits. It cancels requests that take too long. */
const LONGEST_MS = 2 ** 31 - 1;
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** A lent connection to a server. */
export interface Loan {
  readonly server: Server;
  readonly scope: UpstreamScope;
  readonly connection: Connection;
  readonly client: Client;
  /** What the borrower announced. */
  readonly capabilities: JsonObject;
}

/** The conversation with a borrower. */
export interface LentClient {
  /** Handles one line from the borrower. */
  receive(line: string): void;
  /** Cancels its requests. The connection stays open. */
  end(): Promise<void>;
}

/**
 * Passes one server's connection on to another process of the user, which would have started the server in the same way. The
 * borrower itself decides about calls, so its requests pass unchanged.
 */
export function createLentClient(
  context: GatewayContext,
  { server, scope, connection, client: lentTo, capabilities }: Loan,
  write: (line: string) => void,
): LentClient {
  const { facts } = connection;
  const { clock } = context.workspace.ports;
  const send = (message: JsonObject): void => write(toText(message));
  const requests = new ClientRequests(clock);
  const running = new Map<MessageId, AbortController>();
  const announced: ClientFacts = { era: facts.era, version: facts.protocolVersion, capabilities };
  const client: Client = {
    ...lentTo,
    notify: (method, params) => send({ jsonrpc: "2.0", method, params }),
  };
  scope.clients.add(client);
  const removeListener = context.listeners.add({
    endpoint: client.endpoint,
    kinds: new Set(facts.era === "legacy" ? (["tools", "resources", "prompts"] as const) : []),
    notify: client.notify,
  });

  const relay = async (request: ClientRequest): Promise<JsonObject> => {
    const { method, params, signal } = request;
    const { _meta: meta, ...rest } = params;
    const { progressToken, [LOG_LEVEL]: level, ...kept } = isJsonObject(meta) ? meta : {};
    const call: UpstreamCall = {
      client,
      facts: request,
      ask: (...asked) => requests.ask(send, ...asked),
      logLevel: typeof level === "string" ? level : undefined,
      signal,
      notify: client.notify,
    };
    const { result } = await context.upstreams.during(scope, server.name, call, () =>
      relayRequest(scope.workspace, {
        server: server.name,
        method,
        signal,
        origin: call,
        timeoutMs: LONGEST_MS,
        onProgress(step, raw) {
          if (progressToken === undefined) return;
          client.notify("notifications/progress", { ...(raw ?? step), progressToken });
        },
        params: async () => ({
          ...rest,
          _meta: { ...kept, ...(level !== undefined && { [LOG_LEVEL]: level }) },
        }),
      }),
    );
    return result;
  };

  const answer = (request: ClientRequest, id: MessageId): Promise<JsonObject> => {
    switch (request.method) {
      case "initialize":
      case "server/discover":
        return Promise.resolve(greetingOf(connection));
      case "ping":
        return Promise.resolve({});
      case "subscriptions/listen":
        return listen(context, request, id);
      case "logging/setLevel":
      case "resources/subscribe":
      case "resources/unsubscribe":
        return dispatch(context, request);
      default:
        return relay(request);
    }
  };

  const take = async ({
    id,
    method,
    params,
  }: ClientMessage & { readonly kind: "request" }): Promise<void> => {
    const abort = new AbortController();
    running.set(id, abort);
    const request: ClientRequest = {
      ...announced,
      client,
      method,
      params,
      relayed: {},
      signal: abort.signal,
      notify: client.notify,
      ask: (...asked) => requests.ask(send, ...asked),
    };
    try {
      send({ jsonrpc: "2.0", id, result: await answer(request, id) });
    } catch (cause) {
      if (abort.signal.aborted) return;
      const error = toClientError(cause, request, context.workspace.redactor);
      send({ jsonrpc: "2.0", id, error: error.toJson() });
    } finally {
      running.delete(id);
    }
  };

  return {
    receive(line) {
      try {
        const message = toClientMessage(JSON.parse(line));
        if (message.kind === "answer") requests.answer(message.id, message.message);
        else if (message.kind === "request") void take(message);
        else if (message.method === "notifications/cancelled") {
          const { requestId } = message.params;
          if (typeof requestId === "string" || typeof requestId === "number") running.get(requestId)?.abort();
        }
      } catch (error) {
        const refusal = error instanceof RpcError ? error : new RpcError(INVALID_REQUEST, "Invalid message.");
        send({ jsonrpc: "2.0", id: null, error: refusal.toJson() });
      }
    },
    async end() {
      removeListener();
      scope.clients.delete(client);
      for (const abort of running.values()) abort.abort();
      await context.subscriptions.end(client);
    },
  };
}

/** Returns what the server itself answered to `initialize` or `server/discover`. */
function greetingOf({ facts, capabilities = {} }: Connection): JsonObject {
  const { name, version, instructions, protocolVersion } = facts;
  const serverInfo = { name: name ?? "", version: version ?? "" };
  return {
    capabilities,
    serverInfo,
    ...(instructions !== undefined && { instructions }),
    ...(facts.era === "legacy"
      ? { protocolVersion }
      : { resultType: "complete", supportedVersions: [MODERN_VERSION], ttlMs: 0, cacheScope: "private" }),
  };
}
