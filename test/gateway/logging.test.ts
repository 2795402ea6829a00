import { describe, expect, test } from "vitest";
import { connectToGateway, type GatewayClient, gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startServer, stdioServer } from "../support/test-servers.ts";

const ERAS = ["legacy", "modern"] as const;
const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  ERAS.flatMap((client) =>
    (["stdio", "http"] as const).flatMap((upstream) =>
      ERAS.map((server) => ({ downstream, client, upstream, server })),
    ),
  ),
);

async function startAsking(upstream: "stdio" | "http", era: "legacy" | "modern") {
  if (upstream === "stdio")
    return { entry: stdioServer("asking-server.mjs", ["--era", era]), [Symbol.asyncDispose]: async () => {} };
  const server = await startServer("asking-server.mjs", ["--era", era, "--http"]);
  const protocol = era === "legacy" ? ("legacy" as const) : ("2026-07-28" as const);
  const entry = { type: "http" as const, url: server.url, protocol };
  return { entry, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Calls a tool at a log level, which legacy clients request once and modern ones with every request. */
async function callAt(
  { client }: GatewayClient,
  era: "legacy" | "modern",
  level: string | undefined,
  name: string,
  args: Record<string, unknown>,
) {
  if (era === "legacy" && level !== undefined) await client.setLoggingLevel(level as "debug");
  const meta = level === undefined || era === "legacy" ? {} : { "io.modelcontextprotocol/logLevel": level };
  return client.callTool({ name, arguments: args, _meta: meta });
}

const logsOf = ({ received }: GatewayClient): unknown[] =>
  received.flatMap((message) =>
    "method" in message && message.method === "notifications/message"
      ? [[message.params?.["level"], message.params?.["logger"], message.params?.["data"]]]
      : [],
  );

const log = (level: string, text = level) => ({ level, text });

describe.each(CELLS)(
  "logging: $client client over $downstream, $server server over $upstream",
  ({ downstream, client: era, upstream, server }) => {
    test("the client's level reaches the server, and each client gets its own level and above", async () => {
      await using sandbox = await createSandbox();
      await using asking = await startAsking(upstream, server);
      await using gateway = await gatewayIn(sandbox, { servers: { asks: asking.entry } });
      await using quiet = await connectToGateway(gateway, downstream, era);
      await using verbose = await connectToGateway(gateway, downstream, era);
      await callAt(quiet, era, "error", "asks_log", log("info"));
      await callAt(quiet, era, "error", "asks_log", log("error"));
      expect(logsOf(quiet)).toEqual([["error", "asks/asking", "error"]]);

      await callAt(verbose, era, "debug", "asks_log", log("debug"));
      await callAt(quiet, era, "error", "asks_log", log("warning"));
      await callAt(quiet, era, "error", "asks_log", log("critical"));
      expect(logsOf(verbose)).toEqual([["debug", "asks/asking", "debug"]]);
      expect(logsOf(quiet).slice(1)).toEqual([["critical", "asks/asking", "critical"]]);

      const { content } = await callAt(quiet, era, "error", "asks_levels", {});
      const [part] = content;
      const requested: unknown = JSON.parse(part?.type === "text" ? part.text : "");
      // A legacy server is told the lowest level of all clients, once; a modern one the level of each request.
      expect(requested).toEqual(server === "legacy" ? ["error", "debug"] : ["error"]);
    });
  },
);

test.each(ERAS)("a modern request without a level gets no log messages from a %s server", async (server) => {
  await using sandbox = await createSandbox();
  await using asking = await startAsking("stdio", server);
  await using gateway = await gatewayIn(sandbox, { servers: { asks: asking.entry } });
  await using connected = await connectToGateway(gateway, "http", "modern");
  await callAt(connected, "modern", undefined, "asks_log", log("emergency"));
  expect(logsOf(connected)).toEqual([]);
});

test("a legacy client that requests no level gets the messages that the server sends by default", async () => {
  await using sandbox = await createSandbox();
  await using asking = await startAsking("stdio", "legacy");
  await using gateway = await gatewayIn(sandbox, { servers: { asks: asking.entry } });
  await using silent = await connectToGateway(gateway, "stdio", "legacy");
  await using verbose = await connectToGateway(gateway, "stdio", "legacy");
  await callAt(silent, "legacy", undefined, "asks_log", log("debug", "first"));
  await callAt(verbose, "legacy", "debug", "asks_levels", {});
  await callAt(silent, "legacy", undefined, "asks_log", log("debug", "second"));
  await callAt(silent, "legacy", undefined, "asks_log", log("info", "third"));
  expect(logsOf(silent).map((one) => (one as unknown[])[2])).toEqual(["first", "third"]);
});

test("an unknown level is refused", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox);
  await using connected = await connectToGateway(gateway, "stdio", "legacy");
  await expect(connected.client.setLoggingLevel("loud" as "debug")).rejects.toMatchObject({ code: -32602 });
});
