import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../model/index.ts";
import type { Client, ClientFacts, ClientRequest } from "../client-request.ts";
import type { Endpoint } from "../endpoint.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { capabilitiesOf, legacyVersion } from "../relay/dispatch.ts";
import { INVALID_REQUEST, RpcError } from "../rpc-error.ts";
import { ROOTS_CHANGED } from "../server-requests/client-roots.ts";
import { answerRequest } from "./answer-request.ts";
import {
  type ClientMessage,
  claimedVersion,
  clientInfo,
  type MessageId,
  MessageRefusal,
  modernFacts,
  toClientMessage,
  UNANNOUNCED,
  withoutExcluded,
} from "./client-messages.ts";
import { ClientRequests } from "./client-requests.ts";
import { LONG_MESSAGE, parseAtOnce, parseMessage } from "./parse-message.ts";
import { toText } from "./to-text.ts";

/** A client on a pipe. It may use both eras: it can send a modern request first and fall back to `initialize`. */
export interface StdioClient {
  /** Handles one line from the client. */
  receive(line: string): void;
  /** Ends the conversation: cancels its calls and closes the connections that only this client used. */
  end(): Promise<void>;
}

export interface StdioOptions {
  /** Whether the client is on the other end of a pipe that can send calls again. */
  readonly isPiped?: boolean;
  /** Closes the pipe, if that is possible. */
  readonly disconnect?: (() => void) | undefined;
}

export function createStdioClient(
  context: GatewayContext,
  endpoint: Endpoint,
  write: (line: string) => void,
  { isPiped = false, disconnect }: StdioOptions = {},
): StdioClient {
  const send = (message: JsonObject): number => {
    const line = `${toText(message)}\n`;
    write(line);
    return line.length;
  };
  const requests = new ClientRequests(context.workspace.ports.clock);
  const running = new Map<MessageId, AbortController>();
  let facts: ClientFacts = UNANNOUNCED;
  const client: Client = {
    id: `stdio-${randomUUID()}`,
    endpoint,
    isLocal: true,
    logLevel: undefined,
    notify: (method, params) => void send({ jsonrpc: "2.0", method, params }),
  };
  context.records.clients.add(client, { transport: "stdio", disconnect });
  const markRepeatable = (requestId: MessageId): void =>
    void send({ jsonrpc: "2.0", method: "plugboard/repeatable", params: { requestId } });
  let removeListener = (): void => {};

  const startSession = (params: JsonObject): void => {
    const version = legacyVersion(params);
    facts = {
      era: "legacy",
      version,
      capabilities: capabilitiesOf(params, version),
      info: clientInfo(params["clientInfo"]),
    };
    removeListener();
    removeListener = context.listeners.add({
      endpoint,
      kinds: new Set(["tools", "resources", "prompts"]),
      notify: client.notify,
    });
  };

  const answer = async ({
    id,
    method,
    params,
  }: ClientMessage & { readonly kind: "request" }): Promise<void> => {
    const abort = new AbortController();
    if (running.has(id)) throw new RpcError(INVALID_REQUEST, "The id is in use.");
    const isModern = claimedVersion(params) !== undefined;
    if (method === "initialize" && !isModern) startSession(params);
    const request: ClientRequest = {
      ...withoutExcluded(isModern ? modernFacts(params) : facts, context.workspace.inventory().settings),
      client,
      relayed: {},
      method,
      params,
      signal: abort.signal,
      onRepeatable: isPiped ? () => markRepeatable(id) : undefined,
      notify: client.notify,
      ask: (...asked) => requests.ask(send, ...asked),
    };
    running.set(id, abort);
    const response = await answerRequest(context, request, id).finally(() => running.delete(id));
    response?.sent(send(response.message));
    if (response !== undefined && method === "subscriptions/listen" && response.error === undefined)
      send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  };

  const take = async (read: () => unknown): Promise<void> => {
    let id: MessageId | null = null;
    try {
      const message = toClientMessage(read());
      if (message.kind === "answer") requests.answer(message.id, message.message);
      else if (message.kind === "notification") hear(message.method, message.params);
      else {
        ({ id } = message);
        await answer(message);
      }
    } catch (error) {
      const refusal = error instanceof RpcError ? error : new RpcError(INVALID_REQUEST, "Invalid message.");
      const answered = refusal instanceof MessageRefusal ? refusal.id : id;
      send({ jsonrpc: "2.0", id: answered, error: refusal.toJson() });
    }
  };

  const hear = (method: string, { requestId }: JsonObject): void => {
    if (method === ROOTS_CHANGED) client.roots = undefined;
    if (method !== "notifications/cancelled") return;
    if (typeof requestId === "string" || typeof requestId === "number") running.get(requestId)?.abort();
  };

  /** Long lines are parsed in slices. The lines after them wait, because the order of messages matters. */
  let parsing: Promise<void> | undefined;
  const takeInOrder = async (before: Promise<void> | undefined, line: string): Promise<void> => {
    await before;
    const read = await parseMessage(line).then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    void take(read);
  };
  const receive = (line: string): void => {
    if (parsing === undefined && line.length <= LONG_MESSAGE) return void take(() => parseAtOnce(line));
    const current = takeInOrder(parsing, line).finally(() => {
      if (parsing === current) parsing = undefined;
    });
    parsing = current;
  };

  return {
    receive,
    async end() {
      removeListener();
      context.records.clients.remove(client);
      for (const abort of running.values()) abort.abort();
      context.suspended.end(client);
      context.tasks.end(client);
      await context.subscriptions.end(client);
      await context.upstreams.leave(client);
    },
  };
}
