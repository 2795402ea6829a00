import type { Client, JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { connectToGateway, gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";

const SECRET = "zebra-quartz-velvet-7";
const SHORT = "kiwi7";

/** A server that repeats its secrets in everything but its result. */
const SERVER = `
const key = process.env.KEY + " " + process.env.SHORT;
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const form = { type: "object", properties: { [process.env.KEY]: { type: "string" },
  text: { type: "string", title: "t " + key, description: "d " + key, default: process.env.KEY },
  choice: { type: "string", enum: ["a"], enumNames: ["n " + key] } } };
const asked = [["elicitation/create", { message: "m " + key, requestedSchema: form }],
  ["sampling/createMessage", { maxTokens: 5, systemPrompt: "y " + key, messages: [{ role: "user", content: { type: "text", text: "s " + key } }],
    tools: [{ name: "add", description: "f " + key, inputSchema: { type: "object" } }] }]];
let call, answers = 0;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const reply = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo: { name: "s", version: "1" }, instructions: "i " + process.env.KEY }),
    "logging/setLevel": () => ({}), "tools/list": () => ({ tools: [{ name: "leak", inputSchema: { type: "object" } }] }) }[method];
  if (reply) return say({ id, result: reply() });
  if (method === "tools/call") {
    call = id;
    say({ method: "notifications/message", params: { level: "error", logger: "g " + key, data: { ["k " + key]: ["l " + key], safe: "plain" } } });
    say({ method: "notifications/progress", params: { progressToken: params._meta?.progressToken, progress: 1, message: "p " + key } });
    asked.forEach(([method, params], at) => say({ id: "q" + at, method, params }));
  } else if (typeof id === "string" && id.startsWith("q") && ++answers === asked.length)
    say({ id: call, error: { code: -32000, message: "e " + key, data: { ["x " + key]: "v " + key } } });
  else if (method !== undefined && id !== undefined) say({ id, error: { code: -32601, message: "no" } });
});`;

function answering(client: Client, seen: unknown[]): void {
  client.setRequestHandler("elicitation/create", ({ params }) => {
    seen.push(params);
    return { action: "decline" };
  });
  client.setRequestHandler("sampling/createMessage", ({ params }) => {
    seen.push(params);
    return { role: "assistant", model: "m", content: { type: "text", text: "2" } };
  });
}

test.each([
  ["legacy", "stdio"],
  ["legacy", "http"],
  ["modern", "stdio"],
  ["modern", "http"],
] as const)(
  "a %s client over %s sees no secret that a server repeats outside of its results",
  async (era, downstream) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome("server.cjs", SERVER);
    const env = { KEY: "${REPEATED}", SHORT: "${SHORT}" };
    const s = { command: process.execPath, args: [file], env };
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { s } });
    await using gateway = await gatewayIn(sandbox, {
      discover: true,
      env: { ...sandbox.env(), REPEATED: SECRET, SHORT },
    });
    const seen: unknown[] = [];
    await using connected = await connectToGateway(gateway, downstream, era, {
      capabilities: { elicitation: { form: {} }, sampling: { tools: {} } },
      prepare: (client) => answering(client, seen),
    });
    const { client, received } = connected;
    if (era === "legacy") await client.setLoggingLevel("debug");
    const meta = era === "modern" ? { "io.modelcontextprotocol/logLevel": "debug" } : {};
    const error: unknown = await client
      .callTool(
        { name: "s_leak", arguments: {}, _meta: meta },
        { onprogress: (progress) => seen.push(progress) },
      )
      .catch((reason: unknown) => reason);
    seen.push(
      received satisfies JSONRPCMessage[],
      client.getInstructions(),
      { ...(error as object) },
      String(error),
    );
    const said = JSON.stringify(seen);
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain(SHORT);
    for (const lead of ["m", "t", "d", "n", "y", "s", "f", "k", "l", "p", "e", "x", "v"])
      expect(said).toContain(`${lead} [secret] [secret]`);
    expect(said).toContain('"safe":"plain"');
  },
);
