import type { RequestOptions, request } from "node:http";
import type { HttpFailure } from "../index.ts";

/** Idle connections are let go after four seconds, as `fetch` does: most servers close them after five. */
export const AGENT_OPTIONS = { keepAlive: true, timeout: 4_000 } as const;

/** How a request to one address leaves this machine. */
export interface Route {
  readonly call: typeof request;
  readonly options: RequestOptions;
  /** For the proxy on the way, where there is one. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its name, for a person: never its credentials. */
  readonly proxy?: string;
}

/** What went wrong with the proxy on the way; the server was never asked. */
export function proxyFailure(proxy: string, what: string): HttpFailure {
  const facts = { code: "EPROXY", sent: false, reused: false };
  return Object.assign(new Error(`the proxy ${proxy} ${what}`), facts);
}
