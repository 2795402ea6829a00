import { PassThrough } from "node:stream";
import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { ClientPipe, Gateway, GatewayOptions } from "../../src/gateway.ts";
import { createGateway } from "../../src/gateway.ts";
import type { Sandbox } from "./sandbox.ts";
import { startHttpServer, startServer, stdioServer } from "./test-servers.ts";

export type Era = "legacy" | "modern";
export type Downstream = "stdio" | "http";

const ERAS = ["legacy", "modern"] as const;
const TRANSPORTS = ["stdio", "http"] as const;

/** Every pair of client and server: their eras, and how the gateway talks to each of them. */
export const PAIRS: readonly {
  readonly downstream: Downstream;
  readonly client: Era;
  readonly upstream: Downstream;
  readonly server: Era;
}[] = TRANSPORTS.flatMap((downstream) =>
  ERAS.flatMap((client) =>
    TRANSPORTS.flatMap((upstream) => ERAS.map((server) => ({ downstream, client, upstream, server }))),
  ),
);

/** A gateway that sees the sandbox and nothing else of this machine. */
export function gatewayIn(sandbox: Sandbox, options: GatewayOptions = {}): Promise<Gateway> {
  const offer = { waitMs: 60_000, ...options.offer }; // however busy the machine is
  return createGateway({ cwd: sandbox.project, env: sandbox.env(), discover: false, ...options, offer });
}

export interface GatewayClient extends AsyncDisposable {
  readonly client: Client;
  /** Every message that the client received. */
  readonly received: JSONRPCMessage[];
}

export interface GatewayClientOptions extends ClientOptions {
  readonly path?: string;
  /** Called before connecting, to register handlers. */
  prepare?(client: Client): void;
}

/** Connects the official client to a gateway. */
export async function connectToGateway(
  gateway: Gateway,
  downstream: Downstream,
  era: Era,
  { path = "/mcp", prepare, ...options }: GatewayClientOptions = {},
): Promise<GatewayClient> {
  const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode }, ...options });
  prepare?.(client);
  const received: JSONRPCMessage[] = [];
  const { transport, close } = downstream === "stdio" ? pipeTo(gateway) : await httpTo(gateway, path);
  await client.connect(transport);
  const deliver = transport.onmessage;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onmessage = (message, extra) => {
    received.push(message);
    setImmediate(() => deliver?.(message, extra)); // the client loses progress that it reads together with the result
  };
  return {
    client,
    received,
    async [Symbol.asyncDispose]() {
      await client.close();
      await close();
    },
  };
}

export async function httpTo(
  gateway: Gateway,
  path: string,
): Promise<{ readonly transport: Transport; close(): Promise<void> }> {
  const server = await gateway.listen({ port: 0 });
  const url = new URL(path, server.url);
  const headers = { authorization: `Bearer ${server.token}` };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  return { transport, close: () => server.close() };
}

/** Connects the client's side of a pipe within this process. */
export function pipeTo(gateway: Gateway): {
  readonly transport: Transport;
  close(): Promise<void>;
} {
  const input = new PassThrough();
  const transport: Transport = {
    async start() {},
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  const pipe: ClientPipe = {
    input,
    write: (text) => {
      for (const line of text.split("\n").filter((one) => one !== ""))
        transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    },
  };
  const attached = gateway.attach(pipe);
  return { transport, close: () => attached };
}

type Entry = NonNullable<GatewayOptions["servers"]>[string];

/** Servers of one program over every transport, in both eras. Those over HTTP are started once, and end with `close`. */
export function upstreamsOf(file: "asking-server.mjs" | "notes-server.mjs"): {
  entry(upstream: Downstream, era: Era): Promise<Entry>;
  close(): Promise<void>;
} {
  const running = new Map<Era, ReturnType<typeof startServer>>();
  return {
    async entry(upstream, era) {
      if (upstream === "stdio") return stdioServer(file, ["--era", era]);
      const starting = running.get(era) ?? startServer(file, ["--era", era, "--http"]);
      running.set(era, starting);
      const { url } = await starting;
      return { type: "http", url, protocol: era === "legacy" ? "legacy" : "2026-07-28" };
    },
    async close() {
      for (const starting of running.values()) await (await starting)[Symbol.asyncDispose]();
    },
  };
}

/** A server of each era over each transport, with the tools of `tool-set.mjs`. */
export async function startUpstream(
  transport: "stdio" | "http",
  era: Era,
  env: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { readonly entry: Entry }> {
  if (transport === "stdio") {
    const entry = stdioServer("tools-server.mjs", ["--era", era], env);
    return { entry, [Symbol.asyncDispose]: async () => {} };
  }
  const server = await startHttpServer(era === "legacy" ? ["--legacy-only"] : [], env);
  return {
    entry: { type: "http", url: server.url, protocol: era === "legacy" ? "legacy" : "2026-07-28" },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
