import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createQuickClock } from "../support/quick-clock.ts";
import { type RawAnswer, type RawHttp, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

/** Misbehaves for the first `times` requests of a method. */
function failing(method: string, times: number, fail: (response: ServerResponse) => void): RawAnswer {
  let left = times;
  return ({ message }, response) => {
    if (message?.["method"] !== method || left === 0) return false;
    left -= 1;
    fail(response);
    return true;
  };
}

const overloaded = (status: number, retryAfter?: string) => (response: ServerResponse) =>
  void response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();

describe("a server that asks clients to retry later", () => {
  test.each([
    ["429, in seconds", 429, () => "2"],
    ["503, in seconds", 503, () => "2"],
    ["429, as a date", 429, () => new Date(Date.now() + 3_000).toUTCString()],
  ])("with %s is asked again when its tools are listed", async (_, status, retryAfter) => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer: (asked, response) => answer(asked, response),
    });
    const answer = failing("tools/list", 1, (response) => overloaded(status, retryAfter())(response));
    const clock = createQuickClock();
    const servers = { web: { type: "http", url: server.url } } as const;
    await using host = await hostIn(sandbox, { servers, ports: { clock } });
    expect(await host.tools("web")).toHaveLength(1);
    expect(server.count("tools/list")).toBe(2);
    expect(clock.waits.some((ms) => ms > 500 && ms <= 3_000)).toBe(true);
  });

  test.each([
    ["longer than the request may take", "3600"],
    ["until a year from now", "Fri, 31 Dec 2100 23:59:59 GMT"],
  ])("%s is not asked again", async (_, retryAfter) => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({ answer: failing("tools/list", 9, overloaded(429, retryAfter)) });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    expect(await failureOf(host.tools("web"))).toMatchObject({
      hint: expect.stringMatching(/^Retry after \d+ s\.$/),
    });
    expect(server.count("tools/list")).toBe(1);
  });

  test("repeatedly is asked again a limited number of times", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({ answer: failing("tools/list", 1_000, overloaded(503, "10")) });
    const servers = { web: { type: "http", url: server.url, timeout: 30_000 } } as const;
    await using host = await hostIn(sandbox, { servers, ports: { clock: createQuickClock() } });
    await failureOf(host.tools("web"));
    expect(server.count("tools/list")).toBe(4);
  });

  test.each([429, 503])("with %i does not receive a call again", async (status) => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({ answer: failing("tools/call", 9, overloaded(status, "1")) });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    expect(await failureOf(host.call("web", "echo", { text: "hi" }))).toMatchObject({
      message: `Tool execution failed: "web" returned HTTP ${status}`,
      hint: "Retry after 1 s.",
    });
    expect(server.count("tools/call")).toBe(1);
  });
});

/** Accepts the request and ends the connection without a response. */
const cut = (response: ServerResponse): void => void response.socket?.destroy();

describe("an idle connection that the server closes as it is used again", () => {
  test("is replaced for a list", async () => {
    await using sandbox = await createSandbox();
    const answers = { list: failing("tools/list", 0, cut) };
    await using server = await serveRaw({ answer: (asked, response) => answers.list(asked, response) });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    await host.call("web", "echo", { text: "the connection is idle now" });
    answers.list = failing("tools/list", 1, cut);
    expect(await host.tools("web", { refresh: true })).toHaveLength(1);
    expect(server.count("tools/list")).toBe(3);
  });

  test("is replaced only once", async () => {
    await using sandbox = await createSandbox();
    const answers = { list: failing("tools/list", 0, cut) };
    await using server = await serveRaw({ answer: (asked, response) => answers.list(asked, response) });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    await host.call("web", "echo", { text: "the connection is idle now" });
    answers.list = failing("tools/list", 100, cut);
    expect(await failureOf(host.tools("web", { refresh: true }))).toMatchObject({ code: "CONNECTION_LOST" });
    expect(server.count("tools/list")).toBe(3);
  });

  test("makes the call fail, because it may have reached the tool", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({ answer: failing("tools/call", 1, cut) });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    await host.tools("web");
    expect(await failureOf(host.call("web", "echo", { text: "once" }))).toMatchObject({
      code: "TOOL_CALL_FAILED",
      message: expect.stringMatching(
        /^Tool execution failed: the connection to "web" was lost \(ECONNRESET\)$/,
      ),
    });
    expect(server.count("tools/call")).toBe(1);
    expect(await host.call("web", "echo", { text: "the next" })).toMatchObject({ text: "the next" });
  });
});

test("connections are reused by later calls, for JSON responses and for streams", async () => {
  await using sandbox = await createSandbox();
  for (const asStream of [false, true]) {
    const sockets = new Set<unknown>();
    await using server: RawHttp = await serveRaw({
      answer({ message }, response) {
        if (message?.["method"] !== "tools/call") return false;
        sockets.add(response.socket);
        if (!asStream) return false;
        const result = { content: [{ type: "text", text: "hi" }] };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message["id"], result })}\n\n`);
        return true;
      },
    });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    for (let call = 0; call < 5; call += 1) await host.call("web", "echo", { text: "hi" });
    expect(sockets.size).toBe(1);
  }
});
