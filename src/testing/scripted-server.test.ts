import { request } from "node:http";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { connectSdkClient } from "../../test/support/sdk-client.ts";
import type { JsonObject, JsonValue } from "../model/index.ts";
import { createScriptedServer, type ServerScript } from "./scripted-server.ts";
import { serveHttp } from "./serve-http.ts";
import { serveLines } from "./serve-lines.ts";

const SCRIPT: ServerScript = {
  name: "scripted",
  version: "1.2.3",
  instructions: "Be kind.",
  tools: {
    echo: {
      description: "Says it again.",
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
      run: ({ text }) => String(text),
    },
    fail: {
      run: () => {
        throw new Error("it went wrong");
      },
    },
    count: {
      run: (_, { progress }) => {
        progress({ progress: 1, total: 2, message: "half" });
        return { content: [], structuredContent: { count: 2 } };
      },
    },
    wait: {
      run: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve("cancelled"), { once: true });
        }),
    },
  },
  resources: { "note://a": { name: "A", mimeType: "text/plain", text: "hello" } },
  prompts: {
    greet: { arguments: [{ name: "who", required: true }], text: ({ who }) => `Hello ${String(who)}` },
  },
};

async function ask(method: string, params: JsonObject = {}): Promise<JsonObject[]> {
  const sent: JsonObject[] = [];
  await createScriptedServer(SCRIPT).receive({ jsonrpc: "2.0", id: 1, method, params }, (message) =>
    sent.push(message),
  );
  return sent;
}
const answer = (result: JsonObject): JsonObject[] => [{ jsonrpc: "2.0", id: 1, result }];
const refusal = (code: number, message: string): JsonObject[] => [
  { jsonrpc: "2.0", id: 1, error: { code, message } },
];

describe("a script", () => {
  test.each<[string, JsonObject, JsonObject[]]>([
    [
      "initialize",
      { protocolVersion: "2024-11-05" },
      answer({
        protocolVersion: "2024-11-05",
        serverInfo: { name: "scripted", version: "1.2.3" },
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: "Be kind.",
      }),
    ],
    ["ping", {}, answer({})],
    [
      "tools/call",
      { name: "echo", arguments: { text: "hi" } },
      answer({ content: [{ type: "text", text: "hi" }] }),
    ],
    [
      "tools/call",
      { name: "fail" },
      answer({ content: [{ type: "text", text: "it went wrong" }], isError: true }),
    ],
    ["tools/call", { name: "toString" }, refusal(-32602, "Unknown tool: toString")],
    ["resources/read", { uri: "note://b" }, refusal(-32602, "Resource not found: note://b")],
    [
      "prompts/get",
      { name: "greet", arguments: { who: "you" } },
      answer({ messages: [{ role: "user", content: { type: "text", text: "Hello you" } }] }),
    ],
    ["nonsense", {}, refusal(-32601, "Method not found: nonsense")],
  ])("answers %s with %j", async (method, params, expected) => {
    expect(await ask(method, params)).toEqual(expected);
  });

  test("offers the newest legacy revision if the requested one is unknown", async () => {
    expect(await ask("initialize", { protocolVersion: "1999-01-01" })).toMatchObject([
      { result: { protocolVersion: "2025-11-25" } },
    ]);
  });

  test.each<[string, JsonValue]>([
    ["a text", "hello"],
    ["nothing", null],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
  ])("does not respond to %s", async (_, message) => {
    const sent: JsonObject[] = [];
    await createScriptedServer(SCRIPT).receive(message, (reply) => sent.push(reply));
    expect(sent).toEqual([]);
  });

  test("reports progress if the client requests it", async () => {
    expect(await ask("tools/call", { name: "count", _meta: { progressToken: 7 } })).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 7, progress: 1, total: 2, message: "half" },
      },
      ...answer({ content: [], structuredContent: { count: 2 } }),
    ]);
    expect(await ask("tools/call", { name: "count" })).toHaveLength(1);
  });

  test("aborts the signal when a call is cancelled", async () => {
    const server = createScriptedServer(SCRIPT);
    const sent: JsonObject[] = [];
    const call = server.receive({ id: 5, method: "tools/call", params: { name: "wait" } }, (reply) =>
      sent.push(reply),
    );
    await server.receive({ method: "notifications/cancelled", params: { requestId: 5 } }, () => {});
    await call;
    expect(sent).toMatchObject([{ id: 5, result: { content: [{ text: "cancelled" }] } }]);
  });
});

describe("a script served", () => {
  test.each(["auto", "legacy"] as const)(
    "over HTTP works with the official client in mode %s",
    async (mode) => {
      await using server = await serveHttp(SCRIPT);
      await using connected = await connectSdkClient(server, mode);
      const { client } = connected;
      const { tools } = await client.listTools();
      const { content } = await client.callTool({ name: "echo", arguments: { text: "hi" } });
      expect({
        name: client.getServerVersion()?.name,
        tools: tools.map(({ name }) => name),
        content,
      }).toEqual({
        name: "scripted",
        tools: ["echo", "fail", "count", "wait"],
        content: [{ type: "text", text: "hi" }],
      });
    },
  );

  test.each([
    ["no JSON", "{", 400],
    ["no message", "null", 400],
    ["a list", "[]", 400],
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}', 202],
  ])("over HTTP answers %s with a status", async (_, body, status) => {
    await using server = await serveHttp(SCRIPT);
    const response = await fetch(server.url, { method: "POST", body });
    expect(response.status).toBe(status);
  });

  test("over HTTP supports a guard and accepts only POST", async () => {
    await using server = await serveHttp(SCRIPT, {
      guard: ({ headers }) => (headers.authorization === "Bearer x" ? undefined : 401),
    });
    const statuses = await Promise.all([
      fetch(server.url, { method: "POST", body: "{}" }),
      fetch(server.url, { headers: { authorization: "Bearer x" } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 405]);
  });

  test("over HTTP survives a client that disconnects in the middle of a message", async () => {
    await using server = await serveHttp(SCRIPT);
    await new Promise<void>((resolve) => {
      const half = request(server.url, { method: "POST", headers: { "content-length": 100 } });
      half.on("error", () => resolve());
      half.write("{", () => half.destroy(new Error("gone")));
    });
    const { status } = await fetch(server.url, { method: "POST", body: "{" });
    expect(status).toBe(400);
  });

  test("over two streams responds to each line until its input ends", async () => {
    const input = new PassThrough();
    const output = new PassThrough().setEncoding("utf8");
    const served = serveLines(SCRIPT, input, output);
    input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\n{broken\n"text"\n');
    await served;
    expect(
      String(output.read())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
        .sort((a, b) => Number(b.id) - Number(a.id)),
    ).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
    ]);
  });
});
