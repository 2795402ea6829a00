import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Document = Record<string, unknown>;

/** How an attack changes the responses of an honest server. */
export interface Attack {
  /** The challenge of the 401. */
  readonly challenge?: (base: string) => string;
  readonly resource?: (document: Document, base: string) => Answer;
  readonly metadata?: (document: Document, base: string) => Answer;
  /** Serves metadata only at the OpenID URL. */
  readonly openid?: boolean;
  readonly registration?: (document: Document, base: string) => Answer;
  /** Changes the parameters of the redirect. */
  readonly callback?: (parameters: URLSearchParams, base: string) => URLSearchParams;
  readonly token?: (document: Document, base: string) => Answer;
}

/** A document, or a complete response. */
export type Answer =
  | Document
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface HostileServer extends AsyncDisposable {
  readonly url: string;
  readonly base: string;
  /** Every request: method and path. */
  readonly seen: string[];
}

/** An MCP server and its authorization server in one, honest except for the attack. */
export async function startHostileServer(attack: Attack): Promise<HostileServer> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void respond(attack, base, request, response);
    seen.push(`${request.method} ${request.url?.split("?")[0]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${base}/mcp`,
    base,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  attack: Attack,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? "", base);
  const send = (answer: Answer): void => {
    if (typeof answer["status"] === "number") {
      response.writeHead(answer["status"], answer["headers"] as Record<string, string>).end(answer["body"]);
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    }
  };
  const metadata = {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    revocation_endpoint: `${base}/revoke`,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ["code"],
  };
  const places: Record<string, () => void> = {
    "/mcp": () => {
      const named = attack.challenge?.(base) ?? `Bearer resource_metadata="${base}/resource"`;
      response.writeHead(401, { "www-authenticate": named }).end();
    },
    "/resource": () => {
      const document = { resource: `${base}/mcp`, authorization_servers: [base] };
      send(attack.resource?.(document, base) ?? document);
    },
    [`/.well-known/${attack.openid ? "openid-configuration" : "oauth-authorization-server"}`]: () =>
      send(attack.metadata?.(metadata, base) ?? metadata),
    "/register": () => {
      const { redirect_uris } = JSON.parse(body) as { redirect_uris: readonly string[] };
      const document = { client_id: "made", token_endpoint_auth_method: "none", redirect_uris };
      send(attack.registration?.(document, base) ?? document);
    },
    "/authorize": () => {
      const honest = new URLSearchParams({ code: "c0de", state: searchParams.get("state") ?? "", iss: base });
      const answer = attack.callback?.(honest, base) ?? honest;
      const location = `${searchParams.get("redirect_uri")}?${answer}`;
      response.writeHead(302, { location }).end();
    },
    "/token": () => {
      const document = { access_token: "stolen-goods", token_type: "Bearer", refresh_token: "more" };
      send(attack.token?.(document, base) ?? document);
    },
  };
  (places[pathname] ?? (() => response.writeHead(404).end()))();
}
