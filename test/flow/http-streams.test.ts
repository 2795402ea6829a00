import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { createQuickClock } from "../support/quick-clock.ts";
import { type Asked, outcomeOf, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { eventsOf, eventually, failureOf, hostIn } from "./host-in.ts";

function openStream(response: ServerResponse, text = ""): true {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(`: open\n\n${text}`);
  return true;
}

const isCall = ({ message }: Asked): boolean => message?.["method"] === "tools/call";

const answerTo = (message: JsonObject | undefined): string =>
  `data: ${JSON.stringify({ jsonrpc: "2.0", id: message?.["id"], ...outcomeOf(message ?? {}) })}\n\n`;

describe("a stream that ends before the response", () => {
  test("is resumed after the last event, no sooner than the server allows", async () => {
    await using sandbox = await createSandbox();
    let call: JsonObject | undefined;
    await using server = await serveRaw({
      answer(asked, response) {
        if (isCall(asked)) {
          call = asked.message;
          openStream(response, "id: e1\nretry: 700\ndata:\n\n");
          response.end();
          return true;
        }
        if (asked.headers["last-event-id"] === undefined) return false;
        return openStream(response, answerTo(call));
      },
    });
    const clock = createQuickClock();
    const servers = { web: { type: "http", url: server.url } } as const;
    await using host = await hostIn(sandbox, { servers, ports: { clock } });
    expect(await host.call("web", "echo", { text: "resumed" })).toMatchObject({ text: "resumed" });
    expect(server.asked.find(({ headers }) => headers["last-event-id"] === "e1")?.verb).toBe("GET");
    expect(clock.waits).toContain(700);
    expect(server.count("tools/call")).toBe(1);
  });

  test("is resumed as long as it delivers new events", async () => {
    await using sandbox = await createSandbox();
    let call: JsonObject | undefined;
    let resumed = 0;
    await using server = await serveRaw({
      answer(asked, response) {
        const last = asked.headers["last-event-id"];
        if (!isCall(asked) && last === undefined) return false;
        if (isCall(asked)) call = asked.message;
        else resumed += 1;
        openStream(response, resumed === 12 ? answerTo(call) : `id: e${resumed}\nretry: 100\ndata:\n\n`);
        response.end();
        return true;
      },
    });
    const ports = { clock: createQuickClock() };
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } }, ports });
    expect(await host.call("web", "echo", { text: "at last" })).toMatchObject({ text: "at last" });
  });

  test("is abandoned after a few attempts without new events", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer(asked, response) {
        if (!isCall(asked) && asked.headers["last-event-id"] === undefined) return false;
        if (isCall(asked)) openStream(response, "id: e1\nretry: 100\ndata:\n\n");
        else response.writeHead(200, { "content-type": "text/event-stream" });
        response.end();
        return true;
      },
    });
    const ports = { clock: createQuickClock() };
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } }, ports });
    expect(await failureOf(host.call("web", "echo", { text: "hi" }))).toMatchObject({
      message: 'Tool execution failed: "web": the stream ended without a response',
    });
    expect(server.asked.filter(({ headers }) => headers["last-event-id"] === "e1")).toHaveLength(5);
  });

  test("fails immediately if it cannot be resumed, and the call is not repeated", async () => {
    await using sandbox = await createSandbox();
    for (const end of [
      (response: ServerResponse) => response.end(),
      (response: ServerResponse) => response.destroy(),
    ]) {
      await using server = await serveRaw({
        answer(asked, response) {
          if (!isCall(asked)) return false;
          openStream(response);
          setImmediate(() => end(response));
          return true;
        },
      });
      await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
      expect(await failureOf(host.call("web", "echo", { text: "hi" }))).toMatchObject({
        code: "TOOL_CALL_FAILED",
        message: 'Tool execution failed: "web": the stream ended without a response',
      });
      expect(server.count("tools/call")).toBe(1);
    }
  });
});

describe("the notification stream of a legacy server", () => {
  test("is reopened with growing delays when it is lost, and the tools are read again", async () => {
    await using sandbox = await createSandbox();
    const streams: ServerResponse[] = [];
    let tools = ["one"];
    await using server = await serveRaw({
      answer({ verb, message }, response) {
        if (verb === "GET") {
          streams.push(response);
          if (streams.length === 2 || streams.length === 3) response.writeHead(503).end();
          else openStream(response);
          return true;
        }
        if (message?.["method"] !== "tools/list") return false;
        const listed = tools.map((name) => ({ name, inputSchema: { type: "object" } }));
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], result: { tools: listed } }));
        return true;
      },
    });
    const clock = createQuickClock();
    const servers = { web: { type: "http", url: server.url } } as const;
    await using host = await hostIn(sandbox, { servers, ports: { clock } });
    expect(await host.tools("web")).toHaveLength(1);
    await eventually(() => expect(streams).toHaveLength(1));
    const events = eventsOf(host);
    tools = ["one", "two"];
    streams[0]?.destroy();
    await eventually(() => expect(events).toContainEqual({ type: "tools.changed", server: "web" }));
    expect((await host.tools("web")).map(({ tool }) => tool)).toEqual(["one", "two"]);
    expect(streams).toHaveLength(4);
    const waits = clock.waits.filter((ms) => !Number.isInteger(ms)); // only these have a random part
    expect(waits).toHaveLength(3);
    expect(waits).toEqual(waits.toSorted((left, right) => left - right));
    await host.close();
    expect(clock.pending()).toBe(0);
  });

  test("that does not exist is not requested again", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw();
    const ports = { clock: createQuickClock() };
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } }, ports });
    await host.call("web", "echo", { text: "hi" });
    await eventually(() => expect(server.count("GET")).toBe(1));
    for (let call = 0; call < 20; call += 1) await host.call("web", "echo", { text: "hi" });
    expect(server.count("GET")).toBe(1);
  });

  test("is not reopened if the host is closed during the delay", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer({ verb }, response) {
        if (verb !== "GET") return false;
        response.writeHead(503).end();
        return true;
      },
    });
    const clock = createQuickClock(1);
    const servers = { web: { type: "http", url: server.url } } as const;
    await using host = await hostIn(sandbox, { servers, ports: { clock } });
    await host.connect("web");
    await eventually(() => expect(clock.waits.some((ms) => ms >= 1_000 && ms <= 1_250)).toBe(true));
    await host.close();
    expect(clock.pending()).toBe(0);
  });
});

describe("a call over HTTP that is not answered in time", () => {
  test.each([
    ["legacy", "notifications/cancelled"],
    ["modern", "its stream closed"],
  ])("is cancelled at a %s server, which sees %s", async (era) => {
    await using sandbox = await createSandbox();
    let closed = 0;
    await using server = await serveRaw({
      answer({ message }, response) {
        if (message?.["method"] === "server/discover" && era === "modern") {
          const result = {
            resultType: "complete",
            supportedVersions: ["2026-07-28"],
            capabilities: { tools: {} },
          };
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], result }));
          return true;
        }
        if (message?.["method"] !== "tools/call") return false;
        response.on("close", () => {
          closed += 1;
        });
        return openStream(response);
      },
    });
    const servers = { web: { type: "http", url: server.url, timeout: 500, startupTimeout: 30_000 } } as const;
    await using host = await hostIn(sandbox, { servers });
    expect(await failureOf(host.call("web", "echo", { text: "hi" }))).toMatchObject({
      message: 'Tool execution failed: "web" did not answer within 500 ms',
    });
    await eventually(() => expect(closed).toBe(1));
    await eventually(() => expect(server.count("notifications/cancelled")).toBe(era === "legacy" ? 1 : 0));
  });
});

test("a call over SSE that is aborted is cancelled at the server", async () => {
  await using sandbox = await createSandbox();
  let push: (text: string) => void = () => {};
  await using server = await serveRaw({
    answer({ verb, path, message }, response) {
      if (verb === "GET") {
        push = (text) => void response.write(text);
        return openStream(response, "event: endpoint\ndata: /messages\n\n");
      }
      response.writeHead(path === "/messages" ? 202 : 404).end();
      if (message?.["id"] !== undefined && message["method"] !== "tools/call") push(answerTo(message));
      return true;
    },
  });
  await using host = await hostIn(sandbox, { servers: { web: { type: "sse", url: server.url } } });
  await host.tools("web");
  const abort = new AbortController();
  const call = host.call("web", "echo", { text: "hi" }, { signal: abort.signal });
  const aborted = expect(call).rejects.toMatchObject({ name: "ToolAbortError" });
  await eventually(() => expect(server.count("tools/call")).toBe(1));
  abort.abort();
  await aborted;
  await eventually(() => expect(server.count("notifications/cancelled")).toBe(1));
});
