import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import { eventually } from "../flow/host-in.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startServer, stdioServer } from "../support/test-servers.ts";

const servers = {
  notes: stdioServer("notes-server.mjs", ["--era", "legacy"]),
  tools: stdioServer("tools-server.mjs"),
};
const openGateway = (sandbox: Sandbox): Promise<Gateway> =>
  gatewayIn(sandbox, { servers, env: { ...sandbox.env(), PLUGBOARD_HOME: sandbox.home } });

/** A legacy client that knows only an address and a session id. */
function clientOf(url: string, token: string) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  };
  let id = 0;
  const post = async (method: string, params: object = {}) => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const response = await fetch(url, { method: "POST", headers, body });
    const text = await response.text();
    return { status: response.status, text, session: response.headers.get("mcp-session-id") };
  };
  return {
    headers,
    post,
    async initialize() {
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: { elicitation: {} },
        clientInfo: { name: "continues", version: "1" },
      };
      headers["mcp-session-id"] = (await post("initialize", params)).session ?? "";
      return headers["mcp-session-id"];
    },
    remove: () => fetch(url, { method: "DELETE", headers }),
    openStream: (lastEventId?: string) =>
      fetch(url, { headers: { ...headers, ...(lastEventId && { "last-event-id": lastEventId }) } }),
  };
}

/** Collects what arrives on a stream. */
function textOf(response: Response): () => string {
  let text = "";
  void (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk as Uint8Array);
  })().catch(() => {});
  return () => text;
}

const portOf = (url: string): number => Number(new URL(url).port);

test("a session continues after a restart at the same address, with its subscriptions", async () => {
  await using sandbox = await createSandbox();
  const first = await openGateway(sandbox);
  const { url, token } = await first.listen({ port: 0 });
  const client = clientOf(url, token);
  await client.initialize();
  await client.post("logging/setLevel", { level: "debug" });
  await client.post("resources/subscribe", { uri: "notes+note://first" });
  await first.close();

  await using second = await openGateway(sandbox);
  await second.listen({ port: portOf(url) });
  const stream = await client.openStream("lost.1");
  expect(stream.status).toBe(200);
  const heard = textOf(stream);
  expect((await client.post("tools/list")).text).toContain("notes_write");
  await eventually(() => expect(heard()).toMatch(/notifications\/tools\/list_changed/));
  const write = { name: "notes_write", arguments: { topic: "first", text: "again" } };
  expect((await client.post("tools/call", write)).status).toBe(200);
  await eventually(() => expect(heard()).toMatch(/notifications\/resources\/updated.*notes\+note:\/\/first/));
  expect(second.snapshot().problems).toEqual([]);
});

test("many requests of one session at once continue one session", async () => {
  await using sandbox = await createSandbox();
  const first = await openGateway(sandbox);
  const { url, token } = await first.listen({ port: 0 });
  const client = clientOf(url, token);
  await client.initialize();
  await first.close();
  await using second = await openGateway(sandbox);
  await second.listen({ port: portOf(url) });
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.post("ping")));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
});

test("a session that its client ended stays ended, and leaves no file", async () => {
  await using sandbox = await createSandbox();
  const first = await openGateway(sandbox);
  const { url, token } = await first.listen({ port: 0 });
  const client = clientOf(url, token);
  await client.initialize();
  const folder = join(sandbox.home, "state/run/sessions");
  const [file = ""] = await readdir(folder);
  expect(file).toMatch(/^[0-9a-f]{64}\.json$/);
  expect(file).not.toContain(client.headers["mcp-session-id"]?.slice(4, 20));
  expect((await client.remove()).status).toBe(204);
  await first.close();
  expect(await readdir(folder)).toEqual([]);
  await using second = await openGateway(sandbox);
  await second.listen({ port: portOf(url) });
  expect((await client.post("ping")).status).toBe(404);
});

test("a session is unknown at another address, on another endpoint, and with a changed id", async () => {
  await using sandbox = await createSandbox();
  const first = await openGateway(sandbox);
  const { url, token } = await first.listen({ port: 0 });
  const client = clientOf(url, token);
  const id = await client.initialize();
  await first.close();
  await using second = await openGateway(sandbox);
  const elsewhere = await second.listen({ port: 0 });
  await second.listen({ port: portOf(url) });
  const tryAt = async (address: string, session: string): Promise<number> => {
    const other = clientOf(address, token);
    other.headers["mcp-session-id"] = session;
    return (await other.post("ping")).status;
  };
  expect(await tryAt(elsewhere.url, id)).toBe(404);
  expect(await tryAt(`${url}/s/tools`, id)).toBe(404);
  expect(await tryAt(url, `${id.slice(0, -1)}${id.endsWith("A") ? "B" : "A"}`)).toBe(404);
  expect(await tryAt(url, id)).toBe(200);
});

test("a client finds its tasks again, and no other client does", async () => {
  await using sandbox = await createSandbox();
  const finished = join(sandbox.home, "finish");
  await using server = await startServer("durable-task-server.mjs", ["--legacy"], { FINISH_FILE: finished });
  const entry = { type: "http" as const, url: server.url };
  const open = () =>
    gatewayIn(sandbox, {
      servers: { durable: entry },
      env: { ...sandbox.env(), PLUGBOARD_HOME: sandbox.home },
    });
  const first = await open();
  const { url, token } = await first.listen({ port: 0 });
  const [client, other] = [clientOf(url, token), clientOf(url, token)];
  await client.initialize();
  await other.initialize();
  const call = { name: "durable_waits", arguments: { n: 1 }, task: { ttl: 60_000 } };
  const { text } = await client.post("tools/call", call);
  const taskId = /"taskId":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? expect.fail(text);
  await first.close();

  await using second = await open();
  await second.listen({ port: portOf(url) });
  expect((await client.post("tasks/get", { taskId })).text).toContain('"status":"working"');
  expect((await other.post("tasks/get", { taskId })).text).toContain("Unknown task.");
  expect((await client.post("tasks/list")).text).toContain(taskId);
  expect((await other.post("tasks/list")).text).not.toContain(taskId);
  await writeFile(finished, "");
  expect((await client.post("tasks/result", { taskId })).text).toContain("1 called 1");
  await eventually(async () => expect(await readdir(join(sandbox.home, "state/tasks"))).toEqual([]));
});
