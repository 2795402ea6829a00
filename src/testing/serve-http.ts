import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "../model/index.ts";
import { createScriptedServer, type ServerScript } from "./scripted-server.ts";

/** A scripted server that listens on the loopback interface. */
export interface HttpScriptedServer {
  /** The URL of the MCP endpoint. */
  readonly url: string;
  /** Closes all connections and stops listening. */
  close(): Promise<void>;
  /** Closes the server, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The part of Node's `IncomingMessage` that a guard receives. Declared here so that `@types/node` is not required. */
export interface HttpRequestHead {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The path and query. */
  readonly url?: string | undefined;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>> & {
    readonly authorization?: string | undefined;
  };
}

/** Options for `serveHttp`. */
export interface ServeHttpOptions {
  /** Called first for every request. Return a status code to reject the request with it. */
  readonly guard?: (request: HttpRequestHead) => number | undefined;
}

/** Serves a script over stateless Streamable HTTP on a free port of 127.0.0.1. Every response is an event stream. */
export async function serveHttp(
  script: ServerScript,
  { guard }: ServeHttpOptions = {},
): Promise<HttpScriptedServer> {
  const server = createServer((request, response) => {
    const status = guard?.(request);
    if (status !== undefined) response.writeHead(status).end();
    else if (request.method !== "POST") response.writeHead(405).end();
    else answer(script, request, response).catch(() => response.destroy()); // the client disconnected
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close, [Symbol.asyncDispose]: close };
}

async function answer(
  script: ServerScript,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const message = parseMessage(Buffer.concat(chunks).toString("utf8"));
  if (message === undefined) {
    response.writeHead(400).end();
    return;
  }
  if (message["id"] === undefined) {
    response.writeHead(202).end();
    return;
  }
  const server = createScriptedServer(script);
  // A client that disconnects cancels its request.
  response.on("close", () => {
    const params = { requestId: message["id"] ?? null };
    void server.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params }, () => {});
  });
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  await server.receive(message, (reply) =>
    response.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`),
  );
  response.end();
}

function parseMessage(text: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isJsonObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
