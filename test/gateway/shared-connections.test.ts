import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { connectToGateway, gatewayIn } from "../support/gateway-clients.ts";
import { openRawClient } from "../support/raw-gateway-client.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** A server whose processes can be counted. */
function counted(sandbox: Sandbox) {
  const marker = `--conditions=${sandbox.project}`; // has no effect
  const { args, ...entry } = stdioServer("asking-server.mjs", ["--era", "legacy"]);
  return {
    servers: { asks: { ...entry, args: [marker, ...args] } },
    count: () =>
      execFileSync("ps", ["-axww", "-o", "args="], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes(marker)).length,
  };
}

const HTML = "text/html;profile=mcp-app";

test("clients cannot start a server again by announcing unknown fields", async () => {
  await using sandbox = await createSandbox();
  const { servers, count } = counted(sandbox);
  await using gateway = await gatewayIn(sandbox, { servers });
  for (let turn = 0; turn < 10; turn += 1) {
    const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: [HTML, `text/x-${turn}`], turn } };
    await using connected = await connectToGateway(gateway, "http", "modern", {
      capabilities: { extensions },
    });
    await connected.client.callTool({ name: "asks_announced", arguments: {} });
  }
  expect(count()).toBe(1);
});

test("2.2 clients with many different capabilities use at most eight processes of a server", async () => {
  await using sandbox = await createSandbox();
  const { servers, count } = counted(sandbox);
  await using gateway = await gatewayIn(sandbox, { servers });
  const many = [undefined, { form: {} }, { url: {} }, { form: {}, url: {} }].flatMap((elicitation) =>
    [undefined, {}, { tools: {} }].map((sampling) => ({
      ...(elicitation && { elicitation }),
      ...(sampling && { sampling }),
    })),
  );
  for (const capabilities of many) {
    await using connected = await connectToGateway(gateway, "http", "modern", { capabilities });
    const { content } = await connected.client.callTool({ name: "asks_announced", arguments: {} });
    const [{ text }] = content as unknown as [{ readonly text: string }];
    expect(JSON.parse(text)).toEqual(capabilities);
  }
  await expect.poll(count).toBeLessThanOrEqual(8);
});

test("2.8 a question that may belong to another client's cancelled call is not asked", async () => {
  await using sandbox = await createSandbox();
  const servers = {
    late: { command: process.execPath, args: [resolve("test/servers/late-asking-server.mjs")] },
  };
  await using gateway = await gatewayIn(sandbox, { servers });
  const asked: string[] = [];
  const connect = (name: string) =>
    connectToGateway(gateway, "stdio", "legacy", {
      capabilities: { elicitation: { form: {} } },
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", () => {
          asked.push(name);
          return { action: "accept", content: { name } };
        }),
    });
  await using first = await connect("first");
  await using second = await connect("second");

  const cancelled = new AbortController();
  const slow = first.client.callTool({ name: "late_slow", arguments: {} }, { signal: cancelled.signal });
  await first.client.listTools(); // the call has been sent
  cancelled.abort(new Error("enough"));
  await expect(slow).rejects.toThrow();
  await first.client.ping();
  const next = () => second.client.callTool({ name: "late_next", arguments: {} });
  expect(JSON.stringify(await next())).not.toContain("accept");
  expect(asked).toEqual([]);

  // From then on, each client has its own process.
  expect(JSON.stringify(await next())).toContain("accept");
  expect(asked).toEqual(["second"]);
});

test("2.8 a server that asks outside of any stream gets one modern call at a time", async () => {
  await using sandbox = await createSandbox();
  const servers = { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) };
  await using gateway = await gatewayIn(sandbox, { servers });
  const connect = (name: string) =>
    connectToGateway(gateway, "http", "modern", {
      capabilities: { elicitation: { form: {} } },
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name } })),
    });
  await using first = await connect("first");
  await using second = await connect("second");
  const ask = ({ client }: Awaited<ReturnType<typeof connect>>) =>
    client.callTool({ name: "asks_form", arguments: {} });
  // The question of each could belong to the other, until the server is known to ask.
  await Promise.all([ask(first), ask(second)]);
  const [one, two] = await Promise.all([ask(first), ask(second)]);
  expect([JSON.stringify(one), JSON.stringify(two)]).toEqual([
    expect.stringContaining("first"),
    expect.stringContaining("second"),
  ]);
});

test("2.8 a question that is never answered blocks no other modern call", async () => {
  await using sandbox = await createSandbox();
  const servers = { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) };
  await using gateway = await gatewayIn(sandbox, { servers });
  const capabilities = { elicitation: { form: {} } };
  await using client = await openRawClient(gateway, "http", "modern", { capabilities });
  const call = { name: "asks_form", arguments: {} };
  const ask = async (): Promise<JsonObject> => (await client.request("tools/call", call)).result ?? {};
  await Promise.all([ask(), ask()]); // from now on, the server is known to ask

  const left = await ask();
  expect(left).toMatchObject({ resultType: "input_required" });
  expect(await client.request("tools/call", { name: "asks_meta" })).toMatchObject({
    result: { content: [{}] },
  });
  const answered = await ask();
  expect(answered).toMatchObject({ resultType: "input_required" });
  for (const [asked, name] of [
    [answered, "second"],
    [left, "first"],
  ] as const) {
    const keys = Object.keys(asked["inputRequests"] as JsonObject);
    const inputResponses = Object.fromEntries(
      keys.map((key) => [key, { action: "accept", content: { name } }]),
    );
    const retry = { ...call, inputResponses, requestState: asked["requestState"] ?? "" };
    const { result } = await client.request("tools/call", retry);
    expect(JSON.stringify(result)).toContain(name);
  }
});
