import { type JsonObject, MODERN_VERSION } from "../../model/index.ts";
import type { IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import { seesServer } from "../access/check-rights.ts";
import type { Rights } from "../access/rights.ts";
import { nodeOf } from "../cluster/node-of.ts";
import type { FindEndpoint } from "../endpoints.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, isBusy, RpcError, TRY_LATER } from "../rpc-error.ts";
import { claimedVersion, type MessageId, MessageRefusal, toClientMessage } from "./client-messages.ts";
import { HttpLegacy } from "./http-legacy.ts";
import type { HttpMessage } from "./http-message.ts";
import { HttpModern } from "./http-modern.ts";
import { parseMessage } from "./parse-message.ts";
import type { SessionRecords } from "./saved-sessions.ts";

const NEEDS_APPROVAL = { reason: "interaction_required", code: "INTERACTION_REQUIRED" };

type Headers = Readonly<Record<string, string>>;

/** The endpoints of one person, for requests whose sender is known. */
export class HttpEndpoints {
  readonly #context: GatewayContext;
  readonly #findEndpoint: FindEndpoint;
  readonly #legacy: HttpLegacy;
  readonly #modern: HttpModern;
  #open = 0;

  /** `sessions` are those that outlive the process, with the address that they belong to. */
  constructor(
    context: GatewayContext,
    findEndpoint: FindEndpoint,
    sessions: { readonly saved: SessionRecords; address(): string },
  ) {
    this.#context = context;
    this.#findEndpoint = findEndpoint;
    this.#legacy = new HttpLegacy(context, sessions.saved, sessions.address);
    this.#modern = new HttpModern(context);
  }

  /** Whether there are sessions, or requests that are not answered. */
  get isInUse(): boolean {
    return this.#open > 0 || this.sessions > 0;
  }

  /** The number of sessions of legacy clients. */
  get sessions(): number {
    return this.#legacy.sessions;
  }

  /** Answers a request. Never throws. */
  handle(request: IncomingRequest, response: OutgoingResponse, headers: Headers, rights?: Rights): void {
    this.#open += 1;
    response.onClose(() => {
      this.#open -= 1;
    });
    this.#handle(request, response, headers, rights).catch((error: unknown) => {
      const id = error instanceof MessageRefusal ? error.id : null;
      if (!(error instanceof RpcError)) return response.send(500, {});
      const [status, more] = isBusy(error) ? [503, TRY_LATER] : [400, {}];
      sendError(response, status, error.code, error.message, more, error.data, id);
    });
  }

  /** Lets a session's calls end, while another gateway continues it. */
  detach(session: string): Promise<void> {
    return this.#legacy.detach(session);
  }

  /** Disconnects a session, or all, that another gateway may continue. */
  forget(session?: string): Promise<void> {
    return this.#legacy.forget(session);
  }

  close(): Promise<void> {
    return this.#legacy.close();
  }

  async #handle(
    request: IncomingRequest,
    response: OutgoingResponse,
    headers: Headers,
    rights: Rights | undefined,
  ): Promise<void> {
    const { method, target } = request;
    const endpoint = this.#findEndpoint(target.split("?", 1)[0] ?? "");
    const only = endpoint?.verbatim ?? endpoint?.bundles?.[0]?.server;
    const isHidden = only !== undefined && endpoint?.path !== "/mcp" && !seesServer(rights, only);
    if (endpoint === undefined || isHidden)
      return sendError(response, 404, INVALID_REQUEST, "Not found.", headers);
    if (method === "GET" || method === "DELETE")
      return this.#legacy.handle(endpoint, request, response, headers, rights);
    if (method !== "POST") return response.send(405, { ...headers, allow: "POST" });
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? ""))
      return sendError(response, 415, INVALID_REQUEST, "The content type must be application/json.", headers);
    const { bodyBytes } = this.#context.limits;
    const announced = Number(request.headers["content-length"] ?? bodyBytes);
    const most = announced < bodyBytes ? announced : bodyBytes;
    const room = this.#context.requestLimits.bodies.take(rights?.principal.id ?? "", most);
    if (room === undefined)
      return sendError(response, 503, INTERNAL_ERROR, "Too many long messages are being processed.", {
        ...headers,
        ...TRY_LATER,
        connection: "close",
      });
    response.onClose(() => room.release());
    const body = await request.readBody(bodyBytes);
    if (body === undefined)
      return sendError(response, 413, INVALID_REQUEST, "The body is too large.", {
        ...headers,
        connection: "close",
      });
    room.shrink(body.length);
    const message = toClientMessage(await parseMessage(body));
    const { cluster } = this.#context;
    const node = cluster && nodeOf(message);
    if (node !== undefined && node !== cluster?.node && rights?.isPassedOn !== true) {
      const { address = "unknown" } = rights ?? {};
      if (await cluster?.forward(node, { request, body, response, headers, address })) return;
    }
    if (endpoint.unapproved !== undefined) {
      const id = message.kind === "request" ? message.id : null;
      const text = `The server "${endpoint.unapproved}" requires approval. To review it: plugboard trust`;
      return sendError(response, 403, INTERNAL_ERROR, text, headers, NEEDS_APPROVAL, id);
    }
    const post: HttpMessage = { endpoint, request, response, message, headers, rights };
    const answering = isModern(post) ? this.#modern.post(post) : this.#legacy.post(post);
    await answering.catch((error: unknown) => {
      const isKnown = error instanceof RpcError && message.kind === "request";
      throw isKnown ? new MessageRefusal(error, message.id) : error;
    });
  }
}

/** A version in the body, or a modern one in the header, is modern. Everything else is legacy, and so is `initialize` without the first. */
function isModern({ message, request }: HttpMessage): boolean {
  if (message.kind !== "answer" && claimedVersion(message.params) !== undefined) return true;
  if (message.kind === "request" && message.method === "initialize") return false;
  return (request.headers["mcp-protocol-version"] ?? "") >= MODERN_VERSION;
}

/** Sends a JSON-RPC error. */
export function sendError(
  response: OutgoingResponse,
  status: number,
  code: number,
  text: string,
  headers: Headers,
  data?: RpcError["data"],
  id: MessageId | null = null,
): void {
  const message: JsonObject = { jsonrpc: "2.0", id, error: new RpcError(code, text, data).toJson() };
  response.send(status, { ...headers, "content-type": "application/json" }, JSON.stringify(message));
}
