import { mkdtemp, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
  request as sendRequest,
} from "node:http";
import { type AddressInfo, connect, isIP, type LookupFunction, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { ForwardProxy, ProxyRules, RunningProxy } from "../index.ts";
import { guardedLookup, type LookUp } from "./guarded-lookup.ts";

/** The connections that one program may have open at once. */
const MOST_CONNECTIONS = 256;
/** The time limit for connecting to a host. */
const CONNECT_MS = 30_000;
/** Headers for the proxy itself. */
const HOP_HEADERS = /^(?:proxy-.*|connection|keep-alive|te|trailer|upgrade)$/;

interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** What the proxy allows, and how it resolves names. */
interface Rules extends ProxyRules {
  readonly lookUpName: LookUp | undefined;
}

/** Creates a proxy for HTTP and `CONNECT` that connects only to the hosts and addresses that the rules allow. */
export function createForwardProxy(lookUpName?: LookUp): ForwardProxy {
  return { listen: (rules, at) => listen({ ...rules, lookUpName }, at) };
}

async function listen(rules: Rules, at: "socket" | "port"): Promise<RunningProxy> {
  const open = new Set<Duplex>();
  const track = (socket: Duplex): void => {
    open.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => open.delete(socket));
  };
  const server = createServer((request, response) => {
    guard(response, () => forward(request, response, rules));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", track);
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    guard(client, () => {
      const upstream = tunnel(request, client, head, rules);
      if (upstream !== undefined) track(upstream);
    });
  });
  const folder = at === "socket" ? await mkdtemp(join(tmpdir(), "plugboard-")) : undefined;
  const path = folder && join(folder, "proxy.sock");
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path === undefined ? { port: 0, host: "127.0.0.1" } : { path }, resolve);
  });
  const address = path ?? (server.address() as AddressInfo).port;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    server.close();
    for (const socket of open) socket.destroy();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  return { address, close: () => (closing ??= close()) };
}

/** Handles one event. Closes only the connection if that throws, because an exception in an event handler ends the process. */
function guard(connection: { destroy(): unknown }, handle: () => void): void {
  try {
    handle();
  } catch {
    connection.destroy();
  }
}

/** Connects a client with the host that it named. Returns the connection to the host, unless it is refused. */
function tunnel(request: IncomingMessage, client: Socket, head: Buffer, rules: Rules): Socket | undefined {
  const target = readTarget(`http://${request.url ?? ""}`, /:(\d+)$/.exec(request.url ?? "")?.[1]);
  if (target?.port === 0) {
    lookUp(target.host, client, rules);
    return undefined;
  }
  const why = target === undefined ? "the address is invalid" : refusal(rules, target);
  if (target === undefined || why !== undefined) {
    end(client, 403, why ?? "");
    return undefined;
  }
  const { host, port } = target;
  const upstream = connect({ host, port, lookup: lookupFor(rules, target), timeout: CONNECT_MS });
  upstream.once("timeout", () => upstream.destroy(new Error("no answer in time")));
  const failed = (error: Error): void => answerFailure(client, error);
  upstream.once("error", failed);
  upstream.once("connect", () => {
    upstream.off("error", failed).setTimeout(0);
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    upstream.write(head);
    client.pipe(upstream).pipe(client);
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
  });
  return upstream;
}

/** Answers a program that only resolves a host name. It gets no address, because it reaches the host through this proxy. */
function lookUp(host: string, client: Socket, rules: Rules): void {
  const refuse = (): void => {
    rules.onDenied(host, undefined);
    end(client, 403, "the host is not allowed");
  };
  let ports = rules.portsOf(host);
  if (ports.length === 0) return refuse();
  const allowed = (address: string | undefined): boolean => {
    ports = ports.filter((port) => address !== undefined && rules.allowAddress(address, { host, port }));
    return ports.length > 0;
  };
  guardedLookup(allowed, rules.lookUpName)(host, { all: true }, (error) => {
    if (error === null) client.end(`HTTP/1.1 200 OK\r\nplugboard-ports: ${ports.join(",")}\r\n\r\n`);
    else if (ports.length === 0) refuse();
    else end(client, error.code === "ENOTFOUND" ? 404 : 502, error.message);
  });
}

function forward(request: IncomingMessage, response: ServerResponse, rules: Rules): void {
  const refuse = (status: number, why: string): void => {
    if (response.headersSent) return void response.destroy();
    response
      .writeHead(status, { "content-type": "text/plain", connection: "close" })
      .end(`Plugboard: ${why}\n`);
  };
  const target = /^http:\/\//i.test(request.url ?? "") ? readTarget(request.url ?? "") : undefined;
  if (target === undefined) return refuse(400, "this is a proxy; send it a complete http:// URL");
  const why = refusal(rules, target);
  if (why !== undefined) return refuse(403, why);
  const { host, port, path } = target;
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.test(name)),
  );
  const upstream = sendRequest({
    host,
    port,
    path,
    method: request.method ?? "GET",
    // The host that was checked, whatever the client sent.
    headers: { ...headers, host: `${isIP(host) === 6 ? `[${host}]` : host}${port === 80 ? "" : `:${port}`}` },
    lookup: lookupFor(rules, target),
    agent: false,
  });
  upstream.once("response", (answer) => {
    answer.once("error", () => response.destroy());
    const kept = Object.entries(answer.headers).filter(([name]) => !HOP_HEADERS.test(name));
    const status = answer.statusCode ?? 0;
    guard(response, () => {
      // Node reads every status, but sends none below 100.
      if (status < 200 || status > 999) {
        upstream.destroy();
        return refuse(502, "the host answered with an invalid status");
      }
      response.writeHead(status, Object.fromEntries(kept));
      answer.pipe(response);
    });
  });
  upstream.once("error", (error: NodeJS.ErrnoException) => {
    refuse(error.code === "EADDRREFUSED" ? 403 : 502, error.message);
  });
  response.once("close", () => upstream.destroy());
  request.pipe(upstream);
}

/** Reads the host and port of a URL. `URL` converts every spelling of an address to the usual one. */
function readTarget(text: string, givenPort?: string): Target | undefined {
  if (text.length > 8_192 || !URL.canParse(text)) return undefined;
  const { hostname, port, pathname, search, username, password } = new URL(text);
  if (username + password !== "" || hostname === "") return undefined;
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(givenPort ?? (port === "" ? 80 : port)), path: `${pathname}${search}` };
}

/** Returns why a connection is not allowed. Reports the refusal. */
function refusal(rules: Rules, { host, port }: Target): string | undefined {
  const isAllowed =
    rules.allowHost(host, port) && (isIP(host) === 0 || rules.allowAddress(host, { host, port }));
  if (isAllowed) return undefined;
  rules.onDenied(host, port);
  return `the sandbox does not allow connections to ${host}:${port}; add it to "hosts"`;
}

function lookupFor(rules: Rules, target: Target): LookupFunction {
  return guardedLookup((address) => {
    const isAllowed = address !== undefined && rules.allowAddress(address, target);
    if (!isAllowed && address !== undefined) rules.onDenied(address, target.port);
    return isAllowed;
  }, rules.lookUpName);
}

function answerFailure(client: Duplex, error: NodeJS.ErrnoException): void {
  end(client, error.code === "EADDRREFUSED" ? 403 : 502, error.message);
}

function end(client: Duplex, status: number, why: string): void {
  const text = `Plugboard: ${why.replace(/[^ -~]/g, "?")}\n`;
  client.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
  );
}
