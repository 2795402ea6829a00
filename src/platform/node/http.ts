import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  type Environment,
  type Http,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  isWebUrl,
} from "../index.ts";
import { checkBeforeProxy, guardedLookup, type LookUp } from "./guarded-lookup.ts";
import type { ProxyRoutes } from "./proxy-routes.ts";
import { readStream } from "./read-stream.ts";
import { AGENT_OPTIONS, addressOf, proxyFailure, type Route } from "./route.ts";

/** HTTP over Node's own client with connections kept open: half the cost of `fetch` for small messages. */
export function createNodeHttp(variables: Environment["variables"] = {}, look?: LookUp): Http {
  const http = new HttpAgent(AGENT_OPTIONS);
  const https = new HttpsAgent(AGENT_OPTIONS);
  const routes = new WeakMap<URL, Route>();
  let proxies: Promise<ProxyRoutes> | undefined;

  const findRoute = async (url: URL): Promise<Route> => {
    if (namesProxy(variables)) {
      proxies ??= import("./proxy-routes.ts").then(({ createProxyRoutes }) => createProxyRoutes(variables));
      const through = (await proxies).routeFor(url);
      if (through !== undefined) return through;
    }
    return url.protocol === "https:"
      ? { call: requestHttps, agent: https, ...addressOf(url) }
      : { call: requestHttp, agent: http, ...addressOf(url) };
  };

  return {
    async request(request) {
      const { url } = request;
      if (!isWebUrl(url)) throw unsupportedScheme(url);
      let route = routes.get(url);
      if (route === undefined) {
        route = await findRoute(url);
        routes.set(url, route);
      }
      const { allowAddress } = request;
      if (allowAddress === undefined) return send(request, route);
      const isDirect = route.agent === http || route.agent === https;
      if (!isDirect) {
        await checkBeforeProxy(request, look);
        return send(request, route);
      }
      // A connection that stands was made for others, whose addresses nobody asked about.
      return send(request, { ...route, agent: false, lookup: guardedLookup(allowAddress, look) });
    },
    close() {
      http.destroy();
      https.destroy();
      void proxies?.then((routesThere) => routesThere.close());
    },
  };
}

/** Node would take any scheme but https for http, and send to localhost if the URL has no host. */
function unsupportedScheme({ protocol }: URL): HttpFailure {
  const facts = { code: "ERR_INVALID_PROTOCOL", sent: false, reused: false };
  return Object.assign(new Error(`${protocol} addresses are not supported`), facts);
}

/** A route that may be taken for one request alone. */
type SendRoute = Omit<Route, "agent"> & {
  readonly agent: Route["agent"] | false;
  readonly lookup?: LookupFunction;
};

function namesProxy(variables: Environment["variables"]): boolean {
  return ["http_proxy", "https_proxy", "all_proxy"].some(
    (name) => variables[name] !== undefined || variables[name.toUpperCase()] !== undefined,
  );
}

function send({ method, headers, body, signal }: HttpRequest, route: SendRoute): Promise<HttpResponse> {
  const { call, agent, lookup, hostname, port, path, proxy } = route;
  return new Promise((resolve, reject) => {
    const lines = headerLines(headers, route);
    if (body !== undefined) lines.push("content-length", String(Buffer.byteLength(body)));
    const outgoing = call({
      agent,
      hostname,
      port,
      path,
      method,
      headers: lines,
      ...(lookup && { lookup }),
    });
    let stands = false;
    let isAnswered = false;
    const answer = (response: HttpResponse): void => {
      isAnswered = true;
      resolve(response);
    };
    const fail = (error: Error): void =>
      reject(Object.assign(error, { sent: stands, reused: outgoing.reusedSocket }));
    const hangUp = (): void => void outgoing.destroy();
    if (signal?.aborted) hangUp();
    else signal?.addEventListener("abort", hangUp);
    outgoing.on("socket", (socket) => {
      if (!socket.connecting) stands = true;
      else
        socket.once("encrypted" in socket ? "secureConnect" : "connect", () => {
          stands = true;
        });
    });
    outgoing.on("response", (incoming) => {
      if (proxy !== undefined && incoming.statusCode === 407) {
        incoming.resume();
        reject(proxyFailure(proxy, "asks for credentials (HTTP 407)"));
        return;
      }
      // Without an `upgrade` header Node takes 101 for a response, whose body never ends.
      if (incoming.statusCode === SWITCHED.status) {
        hangUp();
        answer(SWITCHED);
      } else answer(toResponse(incoming));
    });
    // The server may switch protocols unasked: Node leaves the connection to the listener, and without one reports nothing.
    outgoing.on("upgrade", (_, socket) => {
      socket.destroy();
      answer(SWITCHED);
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isOfProxy = proxy !== undefined && !stands && error.code !== "EPROXY";
      if (isOfProxy) reject(proxyFailure(proxy, wordsFor(error)));
      else fail(error);
    });
    outgoing.on("close", () => {
      signal?.removeEventListener("abort", hangUp);
      if (!isAnswered) fail(new Error("the connection was closed without a response"));
    });
    outgoing.end(body);
  });
}

/** Names and values in turn: Node takes them as they are, at half the cost of an object. */
function headerLines(
  headers: HttpRequest["headers"],
  { headers: ofRoute }: Pick<Route, "headers">,
): string[] {
  const lines: string[] = [];
  for (const name in ofRoute) if (headers[name] === undefined) lines.push(name, ofRoute[name] ?? "");
  for (const name in headers) lines.push(name, headers[name] ?? "");
  return lines;
}

function wordsFor({ code, message }: NodeJS.ErrnoException): string {
  return `cannot be reached (${code ?? message})`;
}

/** The server switched to another protocol, which was never asked for. */
const SWITCHED: HttpResponse = {
  status: 101,
  headers: { get: () => undefined },
  read: (_, onEnd) => onEnd(),
  cancel() {},
};

function toResponse(incoming: IncomingMessage): HttpResponse {
  const { headers } = incoming;
  let body: Readable = incoming;
  let over = false;
  return {
    status: incoming.statusCode ?? 0,
    headers: {
      get(name) {
        const value = headers[name];
        return Array.isArray(value) ? value.join(", ") : value;
      },
    },
    read(onData, onEnd) {
      const end = (error?: Error): void => {
        if (over) return;
        over = true;
        onEnd(error);
      };
      const decoder = decoderFor(headers["content-encoding"]);
      if (decoder !== undefined) body = incoming.pipe(decoder);
      readStream(body, onData);
      body.on("end", () => end());
      body.on("error", end);
      if (decoder !== undefined) incoming.on("error", end);
      // What was decoded so far is all there will be: a body that is whole ends by itself.
      incoming.on("close", () => {
        if (!incoming.complete) end(new Error("the connection was cut"));
      });
    },
    cancel() {
      over = true;
      incoming.destroy();
      if (body !== incoming) body.destroy(); // it may still hold a thousand times what it was given
    },
  };
}

function decoderFor(encoding = ""): ReturnType<typeof createGunzip> | undefined {
  switch (encoding.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
