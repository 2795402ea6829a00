import { linesOf } from "./client-lines.ts";
import type { HostOptions, HostSnapshot } from "./host-api.ts";
import { HostError } from "./model/index.ts";
import { openServing } from "./open-serving.ts";
import type { Dashboard, HttpOptions, HttpServer, ServingOptions } from "./serving/index.ts";
import type { StoreSettings } from "./store/index.ts";

export type {
  Dashboard,
  GatewayLimits,
  HttpOptions,
  HttpServer,
  OpenDashboardOptions,
  ServingOptions,
} from "./serving/index.ts";
export type { AuditVerification, KeySource, StoredAuditEntry, StoreSettings } from "./store/index.ts";

/** Options for `createGateway`: those of a host, and what to offer. */
export interface GatewayOptions
  extends Omit<HostOptions, "interaction" | "onElicitation" | "onSampling" | "roots" | "middleware"> {
  /** What to offer to clients. Default: everything that may be used. */
  readonly offer?: ServingOptions;
  /**
   * Keeps sign-ins, approvals, pins, lists, secrets and the audit log in PostgreSQL, for several gateways. Requires the package `pg`.
   * Default: files.
   */
  readonly store?: StoreSettings;
}

/** A client on a pipe, such as the standard input and output of a process. */
export interface ClientPipe {
  /** What the client sends: one JSON-RPC message per line. */
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Sends text to the client. */
  write(text: string): void;
}

/** Offers all servers of a user as one MCP server, to clients of both protocol eras. */
export interface Gateway {
  /** Serves one client on a pipe. Resolves when its input ends. */
  attach(pipe: ClientPipe): Promise<void>;
  /** Serves clients over Streamable HTTP, on this machine only. */
  listen(options: HttpOptions): Promise<HttpServer>;
  /** Opens the dashboard for the browser of this machine's user, on its own port. */
  openDashboard(): Promise<Dashboard>;
  /** Returns the servers and problems, as `host.snapshot()` does. */
  snapshot(): HostSnapshot;
  /** Disconnects all clients and stops all servers. */
  close(): Promise<void>;
  /** Closes the gateway, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates a gateway. Reads config files and follows their changes. Starts no server before its first use. */
export async function createGateway({
  offer = {},
  store: settings,
  ...options
}: GatewayOptions = {}): Promise<Gateway> {
  refuseMiddleware(options);
  const opened =
    settings && (await (await import("./gateway-store.lazy.ts")).openGatewayStore(settings, options));
  const { host, serving, close } = await openServing(options, offer, { store: opened }).catch(
    async (error: unknown) => {
      await opened?.close();
      throw error;
    },
  );
  return {
    async attach({ input, write }) {
      const client = serving.serveStdio(write);
      try {
        for await (const line of linesOf(input)) client.receive(line);
      } finally {
        await client.end();
      }
    },
    listen: (where) => serving.serveHttp(where),
    openDashboard: () => serving.openDashboard(),
    snapshot: () => host.snapshot(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Throws if a program without type checks passes middleware. A program that relies on it must not run without it. */
function refuseMiddleware(options: object): void {
  if ("middleware" in options && options.middleware !== undefined)
    throw new HostError("USAGE_INVALID", "A gateway does not support middleware yet.", {
      hint: "Use allow lists, bundles or readOnly to limit what clients may do.",
    });
}
