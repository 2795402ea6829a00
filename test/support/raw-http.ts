import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/model/index.ts";

/** One received request. `message` is its body, if that is JSON. */
export interface Asked {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: JsonObject | undefined;
}

/** Answers a request, or returns `false` to leave it to the plain server. */
export type RawAnswer = (asked: Asked, response: ServerResponse) => boolean;

export interface RawHttpOptions {
  readonly answer?: RawAnswer;
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly host?: string;
}

export interface RawHttp extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly asked: readonly Asked[];
  /** The requested methods, in order: `tools/list`, or the HTTP method if there is no body. */
  methods(): string[];
  /** Returns how often a method was requested. */
  count(method: string): number;
  /** Ends every connection, as a restart does. */
  hangUp(): void;
}

/** A plain MCP server of 2025-11-25 over Streamable HTTP that a test can make misbehave, request by request. */
export async function serveRaw({ answer, tls, host = "127.0.0.1" }: RawHttpOptions = {}): Promise<RawHttp> {
  const asked: Asked[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = describe(request, Buffer.concat(chunks).toString("utf8"));
    asked.push(one);
    if (answer?.(one, response) !== true) answerPlainly(one, response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => response.destroy()); // the client disconnected
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const methods = (): string[] => asked.map(({ verb, message }) => String(message?.["method"] ?? verb));
  return {
    url: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}/mcp`,
    port,
    asked,
    methods,
    count: (method) => methods().filter((one) => one === method).length,
    hangUp: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function describe({ method = "", url = "", headers }: IncomingMessage, body: string): Asked {
  const message = body === "" ? undefined : (JSON.parse(body) as JsonObject);
  return { verb: method, path: url, headers, message };
}

function answerPlainly({ verb, message }: Asked, response: ServerResponse): void {
  if (message === undefined) response.writeHead(verb === "GET" ? 405 : 200).end();
  else if (message["id"] === undefined) response.writeHead(202).end();
  else sendJson(response, { jsonrpc: "2.0", id: message["id"], ...outcomeOf(message) });
}

/** Sends a value as the JSON body of a response. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  return true;
}

/** Returns the plain server's response to a request. It has one tool, `echo`. */
export function outcomeOf({ method, params }: JsonObject): JsonObject {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "raw", version: "1" },
        },
      };
    case "tools/list":
      return { result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } };
    case "tools/call": {
      const { arguments: args = {} } = params as { readonly arguments?: JsonObject };
      return { result: { content: [{ type: "text", text: String(args["text"] ?? "") }] } };
    }
    default:
      return { error: { code: -32601, message: "unknown method" } };
  }
}
