import type { Agent, request } from "node:http";
import { urlToHttpOptions } from "node:url";
import type { HttpFailure } from "../index.ts";

/** Idle connections are let go after four seconds, as `fetch` does: most servers close them after five. */
export const AGENT_OPTIONS = { keepAlive: true, timeout: 4_000 } as const;

/** Where a request goes: to the server itself, or to the proxy that passes it on. */
export interface Address {
  readonly hostname: string;
  readonly port: number | undefined;
  readonly path: string;
  /** Those that Node does not add by itself: `host` first, credentials that the url or a proxy needs. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a request to one address leaves this machine. */
export interface Route extends Address {
  readonly call: typeof request;
  readonly agent: Agent;
  /** The name, for a person, of the proxy that answers in the server's place: never its credentials. */
  readonly proxy?: string;
}

export function addressOf(url: URL): Address {
  const { hostname, port, path, auth } = urlToHttpOptions(url);
  return {
    hostname: hostname ?? "",
    port: typeof port === "string" ? Number(port) : (port ?? undefined),
    path: path ?? "/",
    headers: {
      host: url.host,
      ...(typeof auth === "string" && { authorization: basic(auth) }),
    },
  };
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

/** What went wrong with the proxy on the way; the server was never asked. */
export function proxyFailure(proxy: string, what: string): HttpFailure {
  const facts = { code: "EPROXY", sent: false, reused: false };
  return Object.assign(new Error(`the proxy ${proxy} ${what}`), facts);
}
