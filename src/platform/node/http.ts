import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Http, HttpRequest, HttpResponse } from "../index.ts";

/** HTTP over Node's own client with connections kept open: half the cost of `fetch` for small messages. */
export function createNodeHttp(): Http {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  return {
    request: (request) =>
      send(
        request,
        request.url.protocol === "https:"
          ? { agent: https, call: requestHttps }
          : { agent: http, call: requestHttp },
      ),
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

interface Caller {
  readonly agent: HttpAgent | HttpsAgent;
  readonly call: typeof requestHttp;
}

function send(
  { url, method, headers, body, signal }: HttpRequest,
  { agent, call }: Caller,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = call(url, {
      agent,
      method,
      headers: { ...headers, ...length },
      ...(signal && { signal }),
    });
    let answered = false;
    outgoing.on("response", (incoming) => {
      answered = true;
      resolve(toResponse(incoming));
    });
    outgoing.on("error", (error) => {
      if (!answered) reject(Object.assign(error, { reusedSocket: outgoing.reusedSocket }));
    });
    outgoing.end(body);
  });
}

function toResponse(incoming: IncomingMessage): HttpResponse {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const body = decoded(incoming, headers.get("content-encoding"));
  return {
    status: incoming.statusCode ?? 0,
    headers,
    read(onData, onEnd) {
      let over = false;
      const end = (error?: Error): void => {
        if (over) return;
        over = true;
        onEnd(error);
      };
      body.on("data", onData);
      body.on("end", () => end());
      body.on("error", end);
      incoming.on("error", end);
      incoming.on("aborted", () => end(new Error("the connection was cut")));
      incoming.on("close", () => end(incoming.complete ? undefined : new Error("the connection was cut")));
    },
    cancel: () => void incoming.destroy(),
  };
}

function decoded(incoming: IncomingMessage, encoding: string | undefined): NodeJS.ReadableStream {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return incoming.pipe(createGunzip());
    case "deflate":
      return incoming.pipe(createInflate());
    case "br":
      return incoming.pipe(createBrotliDecompress());
    default:
      return incoming;
  }
}
