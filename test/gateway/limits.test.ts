import { join } from "node:path";
import { expect, test } from "vitest";
import type { GatewayLimits } from "../../src/gateway.ts";
import { HttpAnswer } from "../../src/serving/client/http-answer.ts";
import { eventually, eventuallyReads } from "../flow/host-in.ts";
import { connectToGateway, gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

type Limits = Partial<GatewayLimits>;

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
};

async function listenWith(sandbox: Sandbox, limits: Limits, env: Record<string, string> = {}) {
  const servers = { tools: stdioServer("tools-server.mjs", [], env) };
  const gateway = await gatewayIn(sandbox, { servers, offer: { limits } });
  const { url, token } = await gateway.listen({ port: 0 });
  const post = (message: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
  const initialize = async (): Promise<string> => {
    const response = await post({ method: "initialize", params: INITIALIZE });
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  };
  const ping = async (session: string): Promise<number> => {
    const response = await post({ method: "ping" }, { "mcp-session-id": session });
    await response.text();
    return response.status;
  };
  /** Starts a call that runs until the gateway closes, or opens a stream. Returns what settles when it has ended. */
  const open = async (kind: string, headers: Record<string, string>, signal: AbortSignal) => {
    const auth = { authorization: `Bearer ${token}`, accept: "text/event-stream", ...headers };
    if (kind === "stream") {
      const response = await fetch(url, { headers: auth, signal });
      return [response.text().catch(() => {})];
    }
    const params = { name: "tools_slow", arguments: { ms: 60_000 } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
    const sent = { ...auth, "content-type": "application/json" };
    return [fetch(url, { method: "POST", headers: sent, body, signal }).catch(() => {})];
  };
  return { gateway, post, initialize, ping, open, [Symbol.asyncDispose]: () => gateway.close() };
}

test("the session that was unused for the longest time ends when there are too many", async () => {
  await using sandbox = await createSandbox();
  await using http = await listenWith(sandbox, { sessions: 2 });
  const [first, second] = [await http.initialize(), await http.initialize()];
  expect(await http.ping(first)).toBe(200);
  const third = await http.initialize();
  expect([await http.ping(first), await http.ping(second), await http.ping(third)]).toEqual([200, 404, 200]);
});

test.each(["call", "stream"])("a session with a running %s does not end for a new one", async (kind) => {
  await using sandbox = await createSandbox();
  const started = join(sandbox.project, "started");
  await using http = await listenWith(sandbox, { sessions: 1 }, { START_FILE: started });
  const session = await http.initialize();
  const headers = { "mcp-session-id": session };
  const abort = new AbortController();
  const opened = await http.open(kind, headers, abort.signal);
  if (kind === "call") await eventuallyReads(started);
  const refused = await http.post({ method: "initialize", params: INITIALIZE });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({ id: 1, error: { data: { reason: "busy" } } });
  expect(await http.ping(session)).toBe(200);
  abort.abort();
  await Promise.all(opened);
});

test("all requests without a session count as one client", async () => {
  await using sandbox = await createSandbox();
  const started = join(sandbox.project, "started");
  const limits = { requestsPerClient: 1, queue: 0 };
  await using http = await listenWith(sandbox, limits, { START_FILE: started });
  const abort = new AbortController();
  const call = await http.open("call", {}, abort.signal);
  await eventuallyReads(started);
  const busy = await http.post({ method: "tools/list" });
  expect(await busy.json()).toMatchObject({ error: { data: { reason: "busy" } } });
  await using other = await connectToGateway(http.gateway, "http", "legacy");
  expect((await other.client.listTools()).tools).not.toEqual([]);
  abort.abort();
  await Promise.all(call);
});

test("an idle session ends", async () => {
  await using sandbox = await createSandbox();
  await using http = await listenWith(sandbox, { idleSessionMs: 1 });
  const session = await http.initialize();
  // A request counts as a use, so the session ends between two of them.
  await eventually(async () => expect(await http.ping(session)).toBe(404));
});

test("a body beyond the limit is refused", async () => {
  await using sandbox = await createSandbox();
  await using http = await listenWith(sandbox, { bodyBytes: 1_000 });
  const long = { method: "ping", params: { x: "x".repeat(2_000) } };
  expect((await http.post(long)).status).toBe(413);
  expect((await http.post({ method: "ping" })).status).toBe(200);
});

test("a modern request beyond the queue gets 503 with Retry-After, and a legacy one an error with its reason", async () => {
  await using sandbox = await createSandbox();
  const started = join(sandbox.project, "started");
  const limits = { requests: 1, requestsPerClient: 1, queue: 0 };
  await using http = await listenWith(sandbox, limits, { START_FILE: started });
  await using connected = await connectToGateway(http.gateway, "stdio", "legacy");
  const abort = new AbortController();
  const call = connected.client.callTool(
    { name: "tools_slow", arguments: { ms: 60_000 } },
    { signal: abort.signal },
  );
  call.catch(() => {});
  await eventuallyReads(started);
  const busy = { code: -32603, data: { reason: "busy" } };
  await expect(connected.client.listTools()).rejects.toMatchObject(busy);
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const response = await http.post(
    { method: "tools/list", params: { _meta: meta } },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
  );
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await response.json()).toMatchObject({ error: busy });
  abort.abort();
  await eventually(async () => expect((await connected.client.listTools()).tools).not.toEqual([]));
});

/** A client that takes nothing: everything that is sent stays unsent. */
function createSlowReader() {
  const timers: (() => void)[] = [];
  const reader = { unsent: 0, sent: 0, isAborted: false };
  const stream = {
    write(text: string): number {
      reader.sent += 1;
      reader.unsent += text.length;
      return reader.unsent;
    },
    end() {},
    abort() {
      reader.isAborted = true;
    },
  };
  const response = { send() {}, stream: () => stream, onClose() {} };
  const clock = {
    now: () => 0,
    after: (_: number, callback: () => void) => (timers.push(callback), () => {}),
  };
  const context = { workspace: { ports: { clock } }, limits: { unsentBytes: 100 } };
  const answer = new HttpAnswer(response, context as unknown as ConstructorParameters<typeof HttpAnswer>[1]);
  return { answer, reader, runTimer: () => timers.at(-1)?.() };
}

test("a client that does not read loses notifications, then its stream", () => {
  const { answer, reader, runTimer } = createSlowReader();
  const notice = { jsonrpc: "2.0", method: "notifications/progress", params: { text: "x".repeat(200) } };
  answer.send(notice);
  answer.send(notice);
  expect([reader.sent, reader.isAborted]).toEqual([1, false]);
  runTimer();
  expect(reader.isAborted).toBe(true);
});

test("a client that reads again keeps its stream", () => {
  const { answer, reader, runTimer } = createSlowReader();
  answer.send({ jsonrpc: "2.0", method: "notifications/progress", params: { text: "x".repeat(200) } });
  reader.unsent = 0;
  runTimer();
  expect(reader.isAborted).toBe(false);
});

test("requests and answers for a client that does not read are kept only up to a limit", () => {
  const { answer, reader } = createSlowReader();
  const request = { jsonrpc: "2.0", id: 1, method: "roots/list", params: { text: "x".repeat(500) } };
  for (let count = 0; count < 2; count += 1) answer.send(request, { isRequest: true });
  expect(reader.isAborted).toBe(false);
  answer.send(request, { isRequest: true });
  expect(reader.isAborted).toBe(true);
});
