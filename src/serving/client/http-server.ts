import { HostError } from "../../model/index.ts";
import type { HttpListener, IncomingRequest, OutgoingResponse } from "../../platform/index.ts";
import { type LocalAccess, readToken, refuseAccess } from "../access/local-access.ts";
import type { FindEndpoint } from "../endpoints.ts";
import type { GatewayContext } from "../gateway-context.ts";
import type { DashboardServer } from "../pages/dashboard.ts";
import { INVALID_REQUEST } from "../rpc-error.ts";
import { HttpEndpoints, sendError } from "./http-endpoints.ts";
import { isLoopback } from "./loopback-host.ts";
import { SavedSessions } from "./saved-sessions.ts";

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
    readonly dashboard: DashboardServer | undefined;
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
  const saved = await SavedSessions.open(context);
  const endpoints = new HttpEndpoints(context, findEndpoint, { saved, address: () => `${host}:${port}` });

  const handle = (request: IncomingRequest, response: OutgoingResponse): void => {
    const headers = crossOriginHeaders(request, access);
    const isPreflight = request.method === "OPTIONS" && Object.keys(headers).length > 0;
    const refusal = refuseAccess(request, port, access);
    if (refusal !== undefined && !(isPreflight && refusal.status === 401)) {
      const challenge = refusal.status === 401 ? { "www-authenticate": "Bearer" } : {};
      return sendError(response, refusal.status, INVALID_REQUEST, refusal.message, {
        ...headers,
        ...challenge,
      });
    }
    if (isPreflight) return response.send(204, headers);
    endpoints.handle(request, response, headers);
  };

  const running = await listener.listen({ host, port: wantedPort }, (request, response) => {
    if (dashboard?.owns(request) === true) dashboard.handle(request, response, port);
    else handle(request, response);
  });
  const { port } = running;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/mcp`,
    token,
    tokenFile,
    async close() {
      await endpoints.close();
      await running.close();
    },
  };
}

/** Browsers allow pages of other origins to read a response only if it has these headers. */
export function crossOriginHeaders(
  { headers: { origin } }: Pick<IncomingRequest, "headers">,
  { origins }: Pick<LocalAccess, "origins">,
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
