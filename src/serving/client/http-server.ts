import { HostError, type JsonObject, MODERN_VERSION } from "../../model/index.ts";
import type { HttpListener, IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import { type LocalAccess, readToken, refuseAccess } from "../access/local-access.ts";
import type { FindEndpoint } from "../endpoints.ts";
import type { GatewayContext } from "../gateway-context.ts";
import type { DashboardServer } from "../pages/dashboard.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, isBusy, RpcError, TRY_LATER } from "../rpc-error.ts";
import { claimedVersion, type MessageId, MessageRefusal, toClientMessage } from "./client-messages.ts";
import { HttpLegacy } from "./http-legacy.ts";
import type { HttpMessage } from "./http-message.ts";
import { HttpModern } from "./http-modern.ts";
import { isLoopback } from "./loopback-host.ts";
import { parseMessage } from "./parse-message.ts";
import { SavedSessions } from "./saved-sessions.ts";

const NEEDS_APPROVAL = { reason: "interaction_required", code: "INTERACTION_REQUIRED" };

/** Where an HTTP server listens, and who may use it. */
export interface HttpOptions {
  /** An address of this machine's loopback interface. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Additional exact `Host` values, such as `host.docker.internal:7420`. The token is still required. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Additional exact `Origin` values of web pages. The token is still required. */
  readonly allowOrigins?: readonly string[] | undefined;
}

/** A running HTTP server. */
export interface HttpServer {
  /** The address of the endpoint with all servers. */
  readonly url: string;
  /** The bearer token that every request needs. */
  readonly token: string;
  /** The file with the token. Only the user can read it. */
  readonly tokenFile: string;
  /** Stops listening and disconnects all clients. */
  close(): Promise<void>;
}

/** Starts a server for Streamable HTTP, for clients of both eras. */
export async function createHttpServer(
  context: GatewayContext,
  {
    listener,
    findEndpoint,
    dashboard,
  }: {
    readonly listener: HttpListener;
    readonly findEndpoint: FindEndpoint;
    readonly dashboard: DashboardServer;
  },
  { host = "127.0.0.1", port: wantedPort, allowHosts = [], allowOrigins = [] }: HttpOptions,
): Promise<HttpServer> {
  if (!isLoopback(host))
    throw new HostError(
      "USAGE_INVALID",
      "Listening beyond loopback requires authentication, which this version does not support yet.",
    );
  const { token, file: tokenFile } = await readToken(context.workspace);
  context.workspace.redactor.add(token);
  const { gateway } = context.workspace.inventory().settings;
  const access: LocalAccess = {
    token,
    hosts: [...allowHosts, ...gateway.allowHosts],
    origins: [...allowOrigins, ...gateway.allowOrigins],
  };
  const legacy = new HttpLegacy(context, await SavedSessions.open(context), () => `${host}:${port}`);
  const modern = new HttpModern(context);

  const handle = async (request: IncomingRequest, response: OutgoingResponse): Promise<void> => {
    const { method, target } = request;
    const headers = crossOriginHeaders(request, access);
    const isPreflight = method === "OPTIONS" && Object.keys(headers).length > 0;
    const refusal = refuseAccess(request, port, access);
    if (refusal !== undefined && !(isPreflight && refusal.status === 401)) {
      const challenge = refusal.status === 401 ? { "www-authenticate": "Bearer" } : {};
      return sendError(response, refusal.status, INVALID_REQUEST, refusal.message, {
        ...headers,
        ...challenge,
      });
    }
    if (isPreflight) return response.send(204, headers);
    const endpoint = findEndpoint(target.split("?", 1)[0] ?? "");
    if (endpoint === undefined) return sendError(response, 404, INVALID_REQUEST, "Not found.", headers);
    if (method === "GET" || method === "DELETE") return legacy.handle(endpoint, request, response, headers);
    if (method !== "POST") return response.send(405, { ...headers, allow: "POST" });
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? ""))
      return sendError(response, 415, INVALID_REQUEST, "The content type must be application/json.", headers);
    const body = await request.readBody(context.limits.bodyBytes);
    if (body === undefined)
      return sendError(response, 413, INVALID_REQUEST, "The body is too large.", {
        ...headers,
        connection: "close",
      });
    const message = toClientMessage(await parseMessage(body));
    if (endpoint.unapproved !== undefined) {
      const id = message.kind === "request" ? message.id : null;
      const text = `The server "${endpoint.unapproved}" requires approval. To review it: plugboard trust`;
      return sendError(response, 403, INTERNAL_ERROR, text, headers, NEEDS_APPROVAL, id);
    }
    const post: HttpMessage = { endpoint, request, response, message, headers };
    await (isModern(post) ? modern.post(post) : legacy.post(post)).catch((error: unknown) => {
      const isKnown = error instanceof RpcError && message.kind === "request";
      throw isKnown ? new MessageRefusal(error, message.id) : error;
    });
  };

  const running = await listener.listen({ host, port: wantedPort }, (request, response) => {
    if (dashboard.owns(request)) return dashboard.handle(request, response, port);
    handle(request, response).catch((error: unknown) => {
      const id = error instanceof MessageRefusal ? error.id : null;
      if (!(error instanceof RpcError)) return response.send(500, {});
      const [status, headers] = isBusy(error) ? [503, TRY_LATER] : [400, {}];
      sendError(response, status, error.code, error.message, headers, error.data, id);
    });
  });
  const { port } = running;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/mcp`,
    token,
    tokenFile,
    async close() {
      await legacy.close();
      await running.close();
    },
  };
}

/** A version in the body, or a modern one in the header, is modern. Everything else is legacy, and so is `initialize` without the first. */
function isModern({ message, request }: HttpMessage): boolean {
  if (message.kind !== "answer" && claimedVersion(message.params) !== undefined) return true;
  if (message.kind === "request" && message.method === "initialize") return false;
  return (request.headers["mcp-protocol-version"] ?? "") >= MODERN_VERSION;
}

/** Browsers allow pages of other origins to read a response only if it has these headers. */
function crossOriginHeaders(
  { headers: { origin } }: IncomingRequest,
  { origins }: LocalAccess,
): Readonly<Record<string, string>> {
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers":
      "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
    "access-control-expose-headers": "mcp-session-id",
    vary: "origin",
  };
}

function sendError(
  response: OutgoingResponse,
  status: number,
  code: number,
  text: string,
  headers: Readonly<Record<string, string>>,
  data?: RpcError["data"],
  id: MessageId | null = null,
): void {
  const message: JsonObject = {
    jsonrpc: "2.0",
    id,
    error: new RpcError(code, text, data).toJson(),
  };
  response.send(status, { ...headers, "content-type": "application/json" }, JSON.stringify(message));
}
