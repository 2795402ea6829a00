import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpListener, IncomingRequest, OutgoingResponse } from "../index.ts";
import { connectionOwner } from "./connection-owner.ts";
import { UnsentResponses } from "./unsent-responses.ts";

/** Larger headers are refused with 431. */
export const LARGEST_HEADERS: number = 16 * 1024;
/** How much of a body that is too large is read, so that the client can read the response. */
const MOST_DISCARDED = 16 * 1024 * 1024;
/** How long a client may take to send a request. */
const REQUEST_MS = 60_000;

/** Listens with Node's HTTP or HTTPS server. */
export const nodeListener: HttpListener = {
  async listen({ host, port, tls }, handle) {
    const options = {
      maxHeaderSize: LARGEST_HEADERS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: REQUEST_MS,
    };
    const unsent = new UnsentResponses();
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      handle(toIncoming(request), toOutgoing(response, unsent));
    const secure =
      tls && (await import("node:https")).createServer({ ...options, ...tls, minVersion: "TLSv1.2" }, answer);
    const server = secure ?? createServer(options, answer);
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port, exclusive: true }, () => {
        let closed: Promise<void> | undefined;
        const stop = (): Promise<void> => {
          closed ??= new Promise((done) => {
            server.close(() => done());
          });
          return closed;
        };
        resolve({
          port: (server.address() as AddressInfo).port,
          stopAccepting: () => void stop(),
          close() {
            unsent.close();
            const done = stop();
            server.closeAllConnections();
            return done;
          },
          ...(secure && { setTls: (renewed) => secure.setSecureContext(renewed) }),
        });
      });
    });
  },
};

export function toIncoming(request: IncomingMessage): IncomingRequest {
  const { method = "", url: target = "", headers, rawHeaders } = request;
  delete headers["set-cookie"]; // the only one that Node returns as a list, and requests have none
  return {
    method,
    target,
    headers: headers as IncomingRequest["headers"],
    repeated: repeatedNames(rawHeaders),
    address: request.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, ""),
    readBody: (limit) => readBody(request, limit),
    sender: () => connectionOwner(request.socket),
  };
}

/** Returns the names that occur more than once in alternating names and values. */
function repeatedNames(rawHeaders: readonly string[]): string[] {
  const names = new Set<string>();
  const repeated: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    if (names.has(name)) repeated.push(name);
    names.add(name);
  }
  return repeated;
}

function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve(undefined);
      if (size > limit + MOST_DISCARDED) request.destroy();
    });
    request.once("end", () => resolve(textOf(chunks)));
    request.once("error", reject);
    request.once("close", () => {
      if (!request.complete) reject(new Error("the client disconnected")); // creating an error takes time
    });
  });
}

/** Most bodies are one piece. */
function textOf(chunks: readonly Buffer[]): string {
  const [first, second] = chunks;
  return (
    (first === undefined || second === undefined ? first : Buffer.concat(chunks))?.toString("utf8") ?? ""
  );
}

export function toOutgoing(response: ServerResponse, unsent: UnsentResponses): OutgoingResponse {
  response.on("error", () => {}); // the client disconnected, which `close` reports
  return {
    send(status, headers, body = "") {
      response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) }).end(body);
      unsent.watch(response);
    },
    stream(status, headers) {
      response.writeHead(status, headers).flushHeaders();
      return {
        write(text) {
          response.write(text);
          unsent.watch(response);
          return response.writableLength;
        },
        end: () => void response.end(),
        abort: () => void response.destroy(),
      };
    },
    onClose(callback) {
      response.once("close", () => callback(response.writableFinished));
    },
  };
}
