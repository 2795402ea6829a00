import { Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { Environment } from "../index.ts";
import { proxyFor } from "./proxy-for.ts";
import { AGENT_OPTIONS, addressOf, basic, proxyFailure, type Route } from "./route.ts";

const DIAL_MS = 30_000;

/** Routes through the proxies that the environment defines. */
export interface ProxyRoutes {
  /** Returns the route for a URL through its proxy, or `undefined` if it is reached directly. */
  routeFor(url: URL): Route | undefined;
  close(): void;
}

/**
 * Creates routes through proxies: `https` through a tunnel that the proxy cannot read, `http` by sending the full URL
 * to the proxy.
 */
export function createProxyRoutes(variables: Environment["variables"]): ProxyRoutes {
  const agents = new Map<string, HttpAgent>();
  const agentFor = (key: string, create: () => HttpAgent): HttpAgent => {
    const agent = agents.get(key) ?? create();
    agents.set(key, agent);
    return agent;
  };
  return {
    routeFor(url) {
      const named = proxyFor(url, variables);
      if (named === undefined) return undefined;
      const proxy = parseProxy(named);
      if (url.protocol === "https:") {
        const agent = agentFor(`tunnel ${proxy.href}`, () => new TunnelAgent(proxy));
        return { call: requestHttps, agent, ...addressOf(url) };
      }
      const isSecure = proxy.protocol === "https:";
      const agent = agentFor(proxy.protocol, () =>
        isSecure ? new HttpsAgent(AGENT_OPTIONS) : new HttpAgent(AGENT_OPTIONS),
      );
      const { hostname, port } = addressOf(proxy);
      const { path, headers } = addressOf(url);
      return {
        call: isSecure ? requestHttps : requestHttp,
        agent,
        hostname,
        port,
        path: `${url.origin}${path}`,
        headers: { ...headers, ...credentialsFor(proxy) },
        proxy: nameOf(proxy),
      };
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function parseProxy(text: string): URL {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (proxy === undefined) throw proxyFailure("in the environment", "is not a valid URL");
  // Connecting directly instead would reveal an IP address that the user wanted to hide.
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:")
    throw proxyFailure(nameOf(proxy), "is not supported; use an http or https proxy");
  return proxy;
}

function nameOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

function credentialsFor({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  return { "proxy-authorization": basic(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`) };
}

/** Connects to servers through `CONNECT`. Their certificates are checked as without a proxy. */
class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;
  readonly #dialling = new Set<{ destroy(): void }>();

  constructor(proxy: URL) {
    super(AGENT_OPTIONS);
    this.#proxy = proxy;
  }

  /** Called by Node's agent for every new connection. */
  override createConnection(
    options: ConnectionOptions & { host: string; port: number | string },
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const host = options.host.includes(":") ? `[${options.host}]` : options.host;
    this.#dial(`${host}:${options.port}`, (error, socket) => {
      if (socket === undefined) return done(error);
      const secure = connectTls({ ...options, socket });
      secure.once("error", done);
      secure.once("secureConnect", () => {
        secure.off("error", done);
        done(null, secure);
      });
    });
  }

  override destroy(): void {
    for (const dial of this.#dialling) dial.destroy();
    super.destroy();
  }

  #dial(target: string, done: (error: Error | null, socket?: Socket) => void): void {
    const proxy = this.#proxy;
    const { hostname, port } = addressOf(proxy);
    const dial = (proxy.protocol === "https:" ? requestHttps : requestHttp)({
      hostname,
      port,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...credentialsFor(proxy) },
      agent: false,
      timeout: DIAL_MS,
    });
    this.#dialling.add(dial);
    const fail = (what: string): void => done(proxyFailure(nameOf(proxy), what));
    dial.on("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return done(null, socket);
      socket.destroy();
      fail(
        statusCode === 407 ? "requires credentials (HTTP 407)" : `refused to connect (HTTP ${statusCode})`,
      );
    });
    dial.on("timeout", () => dial.destroy(new Error("no response")));
    dial.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      fail(`cannot be reached (${code ?? message})`);
    });
    dial.on("close", () => this.#dialling.delete(dial));
    dial.end();
  }
}
