import { describe, expect, test } from "vitest";
import { outcomeOf, type RawHttp, sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { eventually, failureOf, hostIn } from "./host-in.ts";

interface Sessions extends RawHttp {
  /** Simulates a restart: the server forgets all sessions. */
  forget(): void;
  /** From now on, the server forgets every session. */
  forgetAlways(): void;
}

/** A server with sessions, and how it reports an unknown one. */
async function serveSessions(unknown: { status: number; body?: string }): Promise<Sessions> {
  let last = 0;
  let known: string | undefined;
  let isForgetful = false;
  const server = await serveRaw({
    answer({ verb, headers, message }, response) {
      if (message?.["method"] === "initialize") {
        last += 1;
        known = `session-${last}`;
        const answer = { jsonrpc: "2.0", id: message["id"], ...outcomeOf(message) };
        return sendJson(response, answer, { "mcp-session-id": known });
      }
      if (message?.["method"] === "server/discover" || verb === "GET") return false;
      const isOfUse = message?.["id"] === undefined || !isForgetful;
      if (isOfUse && headers["mcp-session-id"] === known) return false;
      response.writeHead(unknown.status, { "content-type": "application/json" }).end(unknown.body ?? "");
      return true;
    },
  });
  return {
    ...server,
    forget() {
      known = undefined;
    },
    forgetAlways() {
      isForgetful = true;
    },
  };
}

const refusal = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });

describe.each([
  ["404", { status: 404 }],
  ["404 with an error", { status: 404, body: refusal(-32_001, "Session not found") }],
  [
    "400, as the official examples do",
    { status: 400, body: refusal(-32_000, "Bad Request: No valid session ID provided") },
  ],
])("a session that the server forgot and reports by %s", (_, unknown) => {
  test("is renewed once, and the call is sent once more", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveSessions(unknown);
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    await host.call("web", "echo", { text: "before" });
    server.forget();
    expect(await host.call("web", "echo", { text: "after" })).toMatchObject({ text: "after" });
    expect(server.count("initialize")).toBe(2);
    expect(server.count("tools/call")).toBe(3);
    expect(server.asked.at(-1)?.headers["mcp-session-id"]).toBe("session-2");
  });
});

test("calls that lose the same session share one new session", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveSessions({ status: 404 });
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  await host.call("web", "echo", { text: "before" });
  server.forget();
  const texts = ["a", "b", "c", "d", "e"];
  const results = await Promise.all(texts.map((text) => host.call("web", "echo", { text })));
  expect(results.map(({ text }) => text)).toEqual(texts);
  expect(server.count("initialize")).toBe(2);
});

test("a session that the server keeps forgetting is renewed only once", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveSessions({ status: 404 });
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  await host.tools("web");
  server.forgetAlways();
  expect(await failureOf(host.call("web", "echo", { text: "hi" }))).toMatchObject({
    code: "TOOL_CALL_FAILED",
    message: 'Tool execution failed: "web" no longer recognizes this session',
    hint: "Try again.",
  });
  expect(server.count("tools/call")).toBe(2);
});

test("a 404 without a session does not count as a lost session", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw({
    answer({ message }, response) {
      if (message?.["method"] !== "tools/call") return false;
      response.writeHead(404).end();
      return true;
    },
  });
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  expect(await failureOf(host.call("web", "echo", { text: "hi" }))).toMatchObject({
    message: 'Tool execution failed: "web" returned HTTP 404',
  });
  expect(server.count("initialize")).toBe(1);
});

test("the session is ended when the host closes", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveSessions({ status: 404 });
  const host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  await host.call("web", "echo", { text: "hi" });
  await host.close();
  const last = await eventually(() => {
    const one = server.asked.find(({ verb }) => verb === "DELETE");
    expect(one).toBeDefined();
    return one;
  });
  expect(last?.headers["mcp-session-id"]).toBe("session-1");
});

test("every message after the first contains the session and the protocol version", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveSessions({ status: 404 });
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  await host.call("web", "echo", { text: "hi" });
  const first = server.methods().indexOf("initialize");
  expect(server.asked[first]?.headers).not.toHaveProperty("mcp-protocol-version");
  const later = server.asked.slice(first + 1).map(({ headers }) => headers);
  expect(later.length).toBeGreaterThanOrEqual(3);
  for (const headers of later)
    expect(headers).toMatchObject({ "mcp-session-id": "session-1", "mcp-protocol-version": "2025-11-25" });
});
