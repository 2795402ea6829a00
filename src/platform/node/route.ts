import type { Agent, request } from "node:http";
import { urlToHttpOptions } from "node:url";
import type { HttpFailure } from "../index.ts";

/** Closes idle connections after four seconds, as `fetch` does. Most servers close them after five. */
export const AGENT_OPTIONS = { keepAlive: true, timeout: 4_000 } as const;

/** The destination of a request: the server itself, or the proxy that forwards it. */
export interface Address {
  readonly hostname: string;
  readonly port: number | undefined;
  readonly path: string;
  /** Headers that Node does not add by itself: `host` first, then credentials for the URL or a proxy. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a request is sent: the client, the connections, and the destination. */
export interface Route extends Address {
  readonly call: typeof request;
  readonly agent: Agent;
  /** The URL of the proxy that responds in place of the server, without credentials. For messages. */
  readonly proxy?: string;
}

/** Returns the destination for a URL. */
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

/** Returns the value of a basic authentication header. */
export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

/** Returns the error for a request that failed at the proxy. The server did not receive it. */
export function proxyFailure(proxy: string, what: string): HttpFailure {
  const facts = { code: "EPROXY", sent: false, reused: false };
  return Object.assign(new Error(`the proxy ${proxy} ${what}`), facts);
}
