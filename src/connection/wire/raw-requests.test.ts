import { expect, test } from "vitest";
import { createFakeChannel } from "../../../test/support/fake-channel.ts";
import type { JsonObject } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import { ServerRequestHandler } from "./answer-server.ts";
import { Peer } from "./peer.ts";
import { RpcRefusal } from "./rpc-refusal.ts";
import { sendInEra } from "./send-in-era.ts";

const clock = createManualClock();
const TIMEOUT = { timeoutMs: 1_000 };

function inEra(modern: boolean): Parameters<typeof sendInEra>[4] {
  return {
    agreement: {
      version: modern ? "2026-07-28" : "2025-11-25",
      modern,
      server: {},
      capabilities: { logging: {} },
      instructions: undefined,
    },
    identity: { name: "plugboard", version: "1", capabilities: { legacy: {}, modern: { roots: {} } } },
    clock,
    onRequest: async () => expect.fail("a raw request is never answered here"),
    over: new AbortController().signal,
    taskTools: undefined,
    logLevel: "info",
    raw: true,
  };
}

async function startPeer(perRequest = false) {
  const channel = createFakeChannel({ perRequest });
  const peer = new Peer(channel, clock);
  await peer.start();
  return { channel, peer };
}

test.each([
  { resultType: "input_required", inputRequests: { a: { method: "roots/list" } }, requestState: "s" },
  { resultType: "task", taskId: "t", status: "working" },
  { resultType: "complete", content: [], _meta: { "io.modelcontextprotocol/serverInfo": {} } },
] satisfies JsonObject[])("a raw request to a modern server returns $resultType as it is", async (result) => {
  const { channel, peer } = await startPeer();
  const answer = sendInEra(peer, "tools/call", { name: "x" }, TIMEOUT, inEra(true));
  channel.say({ id: 1, result });
  expect(await answer).toEqual(result);
});

test("a raw request keeps the caller's `_meta`, except the keys of the wire", async () => {
  const { channel, peer } = await startPeer();
  const meta = { traceparent: "00-1", "io.modelcontextprotocol/protocolVersion": "1999-01-01" };
  void sendInEra(peer, "tools/call", { name: "x", _meta: meta }, TIMEOUT, inEra(true));
  expect(channel.sent[0]?.["params"]).toMatchObject({
    _meta: {
      traceparent: "00-1",
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { roots: {} },
    },
  });
  const { channel: legacy, peer: legacyPeer } = await startPeer();
  void sendInEra(legacyPeer, "tools/call", { _meta: { traceparent: "00-1" } }, TIMEOUT, inEra(false));
  expect(legacy.sent[0]?.["params"]).toEqual({ _meta: { traceparent: "00-1" } });
});

test("requests and notifications on a request's stream carry its origin", async () => {
  const { channel, peer } = await startPeer(true);
  const origin = { call: 1 };
  const asked: unknown[] = [];
  peer.onRequest = async (method, _params, _signal, from) => {
    asked.push([method, from]);
    return {};
  };
  peer.onNotification = (method, _params, from) => asked.push([method, from]);
  void peer.request("tools/call", {}, { ...TIMEOUT, origin }).catch(() => {});
  channel.say({ id: "q", method: "roots/list" }, 1);
  channel.say({ method: "notifications/message", params: {} }, 1);
  channel.say({ method: "notifications/message", params: {} });
  expect(asked).toEqual([
    ["roots/list", origin],
    ["notifications/message", origin],
    ["notifications/message", undefined],
  ]);
});

test("progress arrives with its raw parameters", async () => {
  const { channel, peer } = await startPeer();
  const steps: unknown[] = [];
  const onProgress = (...step: unknown[]): void => void steps.push(step);
  void peer.request("tools/call", {}, { ...TIMEOUT, onProgress }).catch(() => {});
  const params = { progressToken: 1, progress: 0.5, _meta: { a: 1 } };
  channel.say({ method: "notifications/progress", params });
  expect(steps).toEqual([[{ progress: 0.5 }, params]]);
});

test("a relay answers with the raw request, within the limits of all server requests", async () => {
  const seen: unknown[] = [];
  const handler = new ServerRequestHandler({
    server: "files",
    handlers: {},
    relay: async (...asked) => {
      seen.push(asked);
      if (seen.length > 1) throw new RpcRefusal(-32042, "visit", { elicitations: [] });
      return { action: "accept", anything: true };
    },
    clock,
    log: { log: () => {} },
    onUnanswered: () => expect.fail("the relay answers"),
  });
  const { signal } = new AbortController();
  const origin = {};
  const params = { message: "m", requestedSchema: { type: "weird" } };
  expect(await handler.answer("elicitation/create", params, signal, origin)).toEqual({
    action: "accept",
    anything: true,
  });
  expect(seen).toEqual([["elicitation/create", params, signal, origin]]);
  await expect(handler.answer("any/method", {}, signal)).rejects.toMatchObject({
    code: -32042,
    data: { elicitations: [] },
  });
  for (let count = 0; count < 58; count += 1) await handler.answer("x", {}, signal).catch(() => {});
  await expect(handler.answer("x", {}, signal)).rejects.toMatchObject({ code: -32000 });
});

test("a refusal reaches the server with its code, message and data", async () => {
  const { channel, peer } = await startPeer();
  peer.onRequest = async () => {
    throw new RpcRefusal(-1, "no", { why: "because" });
  };
  channel.say({ id: 7, method: "sampling/createMessage" });
  await expect
    .poll(() => channel.sent.at(-1))
    .toMatchObject({
      id: 7,
      error: { code: -1, message: "no", data: { why: "because" } },
    });
});

test("a raw request follows tasks of the eras that it names, and no others", async () => {
  const tasksOf = async (followTasks: ("legacy" | "modern")[]) => {
    const { channel, peer } = await startPeer();
    const answer = sendInEra(peer, "tools/call", { name: "x" }, TIMEOUT, { ...inEra(true), followTasks });
    channel.say({
      id: 1,
      result: { resultType: "task", taskId: "t", status: "completed", result: { a: 1 } },
    });
    return answer;
  };
  expect(await tasksOf(["legacy", "modern"])).toEqual({ a: 1 });
  expect(await tasksOf(["legacy"])).toMatchObject({ resultType: "task", taskId: "t" });
});
