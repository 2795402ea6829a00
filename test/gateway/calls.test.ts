import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import { eventually, eventuallyReads } from "../flow/host-in.ts";
import {
  connectToGateway,
  gatewayIn,
  PAIRS,
  startUpstream,
  upstreamsOf,
} from "../support/gateway-clients.ts";
import { sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const asking = upstreamsOf("asking-server.mjs");
afterAll(() => asking.close());

describe.each(PAIRS)(
  "calls: $client client over $downstream, $server server over $upstream",
  ({ downstream, client: era, upstream, server }) => {
    test("a cancelled call is cancelled at the server", async () => {
      await using sandbox = await createSandbox();
      const [cancelled, started] = ["cancelled", "started"].map((file) => join(sandbox.project, file));
      const env = { CANCEL_FILE: cancelled ?? "", START_FILE: started ?? "" };
      await using running = await startUpstream(upstream, server, env);
      await using gateway = await gatewayIn(sandbox, { servers: { tools: running.entry } });
      await using connected = await connectToGateway(gateway, downstream, era);
      const abort = new AbortController();
      const call = connected.client.callTool(
        { name: "tools_slow", arguments: { ms: 60_000 } },
        { signal: abort.signal },
      );
      call.catch(() => {});
      await eventuallyReads(env.START_FILE);
      abort.abort();
      await expect(call).rejects.toThrow();
      expect(await eventuallyReads(env.CANCEL_FILE)).toContain("cancelled");
    });

    test("the client's _meta reaches the server, without the keys of the client's own connection", async () => {
      await using sandbox = await createSandbox();
      const servers = { asks: await asking.entry(upstream, server) };
      await using gateway = await gatewayIn(sandbox, { servers });
      await using connected = await connectToGateway(gateway, downstream, era);
      const result = await connected.client.callTool({
        name: "asks_meta",
        arguments: {},
        _meta: { traceparent: "00-abc", "x/own": { a: 1 } },
      });
      const [part] = result.content;
      const text = part?.type === "text" ? part.text : "";
      expect(JSON.parse(text)).toMatchObject({ traceparent: "00-abc", "x/own": { a: 1 } });
    });
  },
);

test("messages on a pipe are handled in order, even after a long one", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox);
  const input = new PassThrough();
  const answers: string[] = [];
  const attached = gateway.attach({ input, write: (text) => void answers.push(text) });
  const ping = (id: number, params: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping", params })}\n`);
  ping(1, { junk: Array.from({ length: 100_000 }, () => [1]) });
  ping(2, {});
  await expect.poll(() => answers.length).toBe(2);
  expect(answers.map((answer) => (JSON.parse(answer) as { id: number }).id)).toEqual([1, 2]);
  input.end();
  await attached;
});

test("1.1 an argument in a header must equal the argument in the body", async () => {
  await using sandbox = await createSandbox();
  const properties = { count: { type: "integer", "x-mcp-header": "Count" } };
  const tool = { name: "echo", inputSchema: { type: "object", properties } };
  await using raw = await serveRaw({
    answer: ({ message }, response) =>
      message?.["method"] === "tools/list" &&
      sendJson(response, { jsonrpc: "2.0", id: message["id"], result: { tools: [tool] } }),
  });
  await using gateway = await gatewayIn(sandbox, { servers: { raw: { type: "http", url: raw.url } } });
  const { url, token } = await gateway.listen({ port: 0 });
  const call = async (header: Record<string, string>) => {
    const params = {
      name: "raw_echo",
      arguments: { count: 7 },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    };
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "raw_echo",
        ...header,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    return [response.status, await response.json()];
  };
  expect(await call({ "mcp-param-count": "7.0" })).toMatchObject([200, { result: {} }]);
  expect(await call({ "mcp-param-count": "8" })).toMatchObject([400, { error: { code: -32020 } }]);
  expect(await call({})).toMatchObject([400, { error: { code: -32020 } }]);
});

test("/mcp/s/<server> passes names and URIs on as they are", async () => {
  await using sandbox = await createSandbox();
  const servers = { notes: stdioServer("notes-server.mjs"), tools: stdioServer("tools-server.mjs") };
  await using gateway = await gatewayIn(sandbox, { servers });
  await using connected = await connectToGateway(gateway, "http", "modern", { path: "/mcp/s/notes" });
  const { client } = connected;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["write", "hang_up", "leave"]);
  expect((await client.readResource({ uri: "note://first" })).contents[0]?.uri).toBe("note://first");
  await expect(client.callTool({ name: "tools_echo", arguments: { text: "x" } })).rejects.toThrow();
});

test("a gateway offers only the configured servers, and no writing tools if it is read-only", async () => {
  await using sandbox = await createSandbox();
  const tools = stdioServer("tools-server.mjs");
  const servers = { tools: { ...tools, trust: "trusted" as const }, other: tools };
  await using gateway = await gatewayIn(sandbox, { servers, offer: { servers: ["tools"], readOnly: true } });
  await using connected = await connectToGateway(gateway, "stdio", "legacy");
  const { client } = connected;
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("tools_echo");
  expect(names).not.toContain("tools_add");
  for (const name of ["tools_add", "other_echo"])
    await expect(client.callTool({ name, arguments: { a: 1, b: 2 } })).rejects.toMatchObject({
      code: -32602,
    });
});

describe.each(["stdio", "http"] as const)("a message that is nested too deeply, over %s", (downstream) => {
  test("is refused by the gateway, and other clients' calls continue", async () => {
    await using sandbox = await createSandbox();
    const started = join(sandbox.project, "started");
    await using upstream = await startUpstream("stdio", "legacy", { START_FILE: started });
    await using gateway = await gatewayIn(sandbox, { servers: { tools: upstream.entry } });
    await using other = await connectToGateway(gateway, "stdio", "legacy");
    const running = other.client.callTool({ name: "tools_slow", arguments: { ms: 1_500 } });
    await eventuallyReads(started);
    const params = `{"name":"tools_echo","arguments":{"text":"a","deep":${nested(20_000)}}}`;
    const body = `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":${params}}`;
    expect(await answerTo(gateway, downstream, body)).toEqual({
      jsonrpc: "2.0",
      id: "deep",
      error: { code: -32602, message: "The message has more than 256 levels of nesting." },
    });
    expect(await running).toMatchObject({ content: [{ type: "text" }] });
  });
});

test("a client's answer that is nested too deeply fails only the question", async () => {
  await using sandbox = await createSandbox();
  const servers = { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) };
  await using gateway = await gatewayIn(sandbox, { servers });
  const lines: Record<string, unknown>[] = [];
  const input = new PassThrough();
  const attached = gateway.attach({
    input,
    write: (text) => {
      for (const line of text.split("\n").filter(Boolean)) {
        const message = JSON.parse(line) as Record<string, unknown>;
        lines.push(message);
        if (message["method"] === "elicitation/create")
          input.write(
            `{"jsonrpc":"2.0","id":"${String(message["id"])}","result":{"action":"accept","content":{"name":${nested(20_000)}}}}\n`,
          );
      }
    },
  });
  const initialize = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo: {} };
  input.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize })}\n` +
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"asks_form","arguments":{}}}\n`,
  );
  const answered = (id: number) => lines.find((line) => line["id"] === id);
  await eventually(() => expect(answered(2)).toBeDefined());
  input.write(
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"asks_announced","arguments":{}}}\n',
  );
  await eventually(() => expect(answered(3)).toMatchObject({ result: { content: [{ type: "text" }] } }));
  expect(JSON.stringify(lines)).not.toContain("call stack");
  input.end();
  await attached;
});

test.each(["stdio", "http"] as const)(
  "a result that is nested too deeply fails its call with a plain error, over %s",
  async (downstream) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome("deep.cjs", DEEP_SERVER);
    const servers = { deep: { command: process.execPath, args: [file] } };
    await using gateway = await gatewayIn(sandbox, { servers });
    const call = (name: string): string =>
      `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"deep_${name}","arguments":{}}}`;
    expect(await answerTo(gateway, downstream, call("deep"))).toEqual({
      jsonrpc: "2.0",
      id: "a",
      error: {
        code: -32603,
        message: "The server's answer is nested too deeply.",
        data: { reason: "failed" },
      },
    });
    expect(await answerTo(gateway, downstream, call("flat"))).toMatchObject({ result: { content: [] } });
  },
);

const DEEP_SERVER = `
const deep = "[".repeat(20000) + "]".repeat(20000);
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const tools = ["deep", "flat"].map((name) => ({ name, inputSchema: { type: "object" } }));
  const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "d", version: "1" } },
    "tools/list": { tools }, "tools/call": { content: [], structuredContent: { a: params?.name === "deep" ? "DEEP" : 1 } } }[method];
  if (id === undefined) return;
  const reply = result ? { result } : { error: { code: -32601, message: "no" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...reply }).replace('"DEEP"', deep));
});`;

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

/** Sends one message without a session and returns the answer. */
async function answerTo(gateway: Gateway, downstream: "stdio" | "http", body: string): Promise<unknown> {
  if (downstream === "http") {
    const { url, token } = await gateway.listen({ port: 0 });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return (await fetch(url, { method: "POST", headers, body })).json();
  }
  const input = new PassThrough();
  let text = "";
  const attached = gateway.attach({ input, write: (line) => (text += line) });
  input.write(`${body}\n`);
  await eventually(() => expect(text).toContain("\n"));
  input.end();
  await attached;
  return JSON.parse(text);
}
