import { Server } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue, ServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, startSseServer, stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

function nested(depth: number): JsonObject {
  let value: JsonValue = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return { deep: value };
}

const loop: Record<string, unknown> = {};
loop["self"] = loop;

interface Started extends AsyncDisposable {
  readonly entry: ServerOptions;
}

const alone = async (entry: ServerOptions): Promise<Started> => ({
  entry,
  async [Symbol.asyncDispose]() {},
});

async function remote(starting: ReturnType<typeof startHttpServer>, type: "http" | "sse"): Promise<Started> {
  const server = await starting;
  return { entry: { type, url: server.url }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function echoServer(): Server {
  const server = new Server({ name: "own", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "echo", inputSchema: { type: "object" } }],
  }));
  server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "hi" }] }));
  return server;
}

test.each<[string, () => Promise<Started>, key?: string]>([
  ["a legacy stdio server", () => alone(stdioServer("tools-server.mjs", ["--era", "legacy"]))],
  ["a modern stdio server", () => alone(stdioServer("tools-server.mjs", ["--era", "modern"]))],
  ["a modern HTTP server", () => remote(startHttpServer(), "http")],
  ["a legacy HTTP server", () => remote(startHttpServer(["--legacy-only"]), "http")],
  ["an SSE server", () => remote(startSseServer(), "sse"), "message"],
  ["a server in the same process", () => alone({ server: echoServer() })],
])(
  "values for %s that cannot be converted to JSON fail the call and not the connection",
  async (_, start, key = "text") => {
    await using sandbox = await createSandbox();
    await using started = await start();
    await using host = await hostIn(sandbox, { servers: { one: started.entry } });
    await host.connect("one");
    const states: string[] = [];
    host.subscribe((event) => {
      if (event.type === "server.state") states.push(event.state);
    });
    const args = { [key]: "hi" };
    for (const meta of [nested(20_000), loop as JsonObject]) {
      const failure = await failureOf(host.call("one", "echo", args, { meta }));
      expect(failure).toMatchObject({ code: "TOOL_CALL_FAILED", server: "one" });
      expect(failure.message).toMatch(/was not sent: .*(?:nested too deeply|circular structure)/);
    }
    expect(await host.call("one", "echo", args)).toMatchObject({ isError: false });
    expect(states.filter((state) => state !== "connected")).toEqual([]);
  },
);
