import type { IncomingMessage } from "node:http";
import { Agent, createServer, type RequestOptions, request as sendRequest } from "node:https";
import type { AddressInfo } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { PeerFailure, type PeerKey, type PeerRequest, type PeerResponse, type Peers } from "../index.ts";
import { LARGEST_HEADERS, toIncoming, toOutgoing } from "./listener.lazy.ts";
import { UnsentResponses } from "./unsent-responses.ts";

/** Cipher suites that need a shared key instead of certificates, with forward secrecy. TLS 1.3 has them only without a choice of keys. */
const SUITES = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;
/** Longer than the client keeps idle connections, so that a request never meets a connection that is being closed. */
const SERVER_IDLE_MS = 60_000;
const CLIENT_IDLE_MS = 30_000;

/** Peers over TLS with pre-shared keys. */
export function createNodePeers(): Peers {
  const agent = new Agent({ keepAlive: true, maxCachedSessions: 0, timeout: CLIENT_IDLE_MS });
  return {
    listen({ host, port }, keys, handle) {
      const unsent = new UnsentResponses();
      const server = createServer(
        {
          ...SUITES,
          maxHeaderSize: LARGEST_HEADERS * 2, // a forwarded request has more headers than the client sent
          keepAliveTimeout: SERVER_IDLE_MS,
          pskCallback: (_, identity) => keys().find(({ id }) => id === identity)?.key ?? null,
        },
        (request, response) => handle(toIncoming(request), toOutgoing(response, unsent)),
      );
      server.on("tlsClientError", () => {}); // the client has no key
      return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port, exclusive: true }, () =>
          resolve({
            port: (server.address() as AddressInfo).port,
            close: () =>
              new Promise((closed) => {
                unsent.close();
                server.close(() => closed());
                server.closeAllConnections();
              }),
          }),
        );
      });
    },
    request: (address, key, wanted) => send(agent, address, key, wanted),
    close: () => agent.destroy(),
  };
}

function send(
  agent: Agent,
  { host, port }: { readonly host: string; readonly port: number },
  { id, key }: PeerKey,
  { method, target, headers, body, connectMs, signal }: PeerRequest,
): Promise<PeerResponse> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    const options: RequestOptions & ConnectionOptions = {
      ...SUITES,
      host,
      port,
      method,
      path: target,
      headers: body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
      agent,
      pskCallback: () => ({ identity: id, psk: key }),
      checkServerIdentity: () => undefined, // the key proves who it is
      ...(signal && { signal }),
    };
    const request = sendRequest(options);
    const timer = setTimeout(() => request.destroy(new Error("no connection in time")), connectMs);
    const connected = (): void => {
      isSent = true;
      clearTimeout(timer);
    };
    request.on("socket", (socket) => {
      if (request.reusedSocket) connected();
      else socket.once("secureConnect", connected);
    });
    request.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const kind = isSent ? "lost" : error.code === "ECONNREFUSED" ? "refused" : "unreachable";
      reject(new PeerFailure(kind, error.message));
    });
    request.once("response", (response) => {
      clearTimeout(timer);
      resolve({ status: response.statusCode ?? 0, headers: textHeaders(response), body: bodyOf(response) });
    });
    request.end(body);
  });
}

async function* bodyOf(response: IncomingMessage): AsyncGenerator<string> {
  try {
    for await (const chunk of response.setEncoding("utf8")) yield String(chunk);
  } catch (error) {
    throw new PeerFailure("lost", error instanceof Error ? error.message : String(error));
  }
}

function textHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
