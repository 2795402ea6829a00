import { expect, test } from "vitest";
import { createFakeChannel } from "../../../test/support/fake-channel.ts";
import type { JsonObject } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import type { Channel } from "./channel.ts";
import { Replies } from "./replies.ts";
import { serialize } from "./serialize.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A channel that accepts a message only on `take`, or when the exchange is cancelled. */
function slowChannel(): { channel: Channel; sent: unknown[]; take(): void } {
  const sent: unknown[] = [];
  const waiting: (() => void)[] = [];
  const channel: Channel = {
    ...createFakeChannel(),
    send: (message, { signal } = {}) =>
      new Promise((resolve) => {
        sent.push(message["id"]);
        waiting.push(resolve);
        signal?.addEventListener("abort", () => resolve());
      }),
  };
  return { channel, sent, take: () => waiting.shift()?.() };
}

test("eight replies are sent at a time, the next follow in order, and a flood is dropped", async () => {
  const { channel, sent, take } = slowChannel();
  const replies = new Replies(channel, createManualClock());
  for (let id = 0; id < 10_000; id += 1) replies.send({ id, result: {} });
  expect(sent).toHaveLength(8);
  for (let count = 0; count < 200; count += 1) {
    take();
    await settled();
  }
  expect(sent).toEqual(Array.from({ length: 72 }, (_, id) => id));
});

test("a reply that the server does not accept in time makes room for the next", async () => {
  const { channel, sent } = slowChannel();
  const clock = createManualClock();
  const replies = new Replies(channel, clock);
  for (let id = 0; id < 9; id += 1) replies.send({ id, result: {} });
  clock.advance(30_000);
  await settled();
  expect(sent).toHaveLength(9);
});

test("when the connection ends, replies being sent are cancelled and no others follow", async () => {
  const { channel, sent } = slowChannel();
  const replies = new Replies(channel, createManualClock());
  for (let id = 0; id < 20; id += 1) replies.send({ id, result: {} });
  replies.stop();
  await settled();
  expect(sent).toHaveLength(8);
});

test("waiting replies are also limited by size", async () => {
  const { channel, sent, take } = slowChannel();
  const replies = new Replies(channel, createManualClock());
  const large = "x".repeat(3 * 1024 * 1024);
  for (let id = 0; id < 20; id += 1) replies.send({ id, result: { large } });
  replies.send({ id: 20, result: {} });
  for (let count = 0; count < 30; count += 1) {
    take();
    await settled();
  }
  expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20]);
  for (let id = 30; id < 40; id += 1) replies.send({ id, result: { large } }); // there is room again
  expect(sent).toHaveLength(11 + 8);
});

test("a reply that cannot be sent makes room for the next", async () => {
  const sent: unknown[] = [];
  const channel: Channel = {
    ...createFakeChannel(),
    send(message) {
      sent.push(message["id"]);
      return Promise.reject(new Error("gone"));
    },
  };
  const replies = new Replies(channel, createManualClock());
  for (let id = 0; id < 12; id += 1) replies.send({ id, result: {} });
  await settled();
  expect(sent).toEqual(Array.from({ length: 12 }, (_, id) => id));
});

test("there is room for unimportant replies until half of the queue is full", async () => {
  const { channel, take } = slowChannel();
  const replies = new Replies(channel, createManualClock());
  for (let id = 0; id < 8 + 31; id += 1) replies.send({ id, result: {} });
  expect(replies.hasRoom).toBe(true);
  replies.send({ id: 39, result: {} });
  expect(replies.hasRoom).toBe(false);
  take();
  await settled();
  expect(replies.hasRoom).toBe(true);
});

test("a reply that is nested too deeply does not wait", async () => {
  const { channel, sent, take } = slowChannel();
  const replies = new Replies(channel, createManualClock());
  const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  for (let id = 0; id < 8; id += 1) replies.send({ id, result: {} });
  replies.send({ id: "deep", result: nested(128) });
  replies.send({ id: "flat", result: nested(127) });
  for (let count = 0; count < 10; count += 1) {
    take();
    await settled();
  }
  expect(sent.slice(8)).toEqual(["flat"]);
});

test("after stopping, later replies have the whole queue again", async () => {
  const { channel, sent, take } = slowChannel();
  const replies = new Replies(channel, createManualClock());
  const large = "x".repeat(5 * 1024 * 1024);
  for (let id = 0; id < 9; id += 1) replies.send({ id, result: { large } });
  replies.stop();
  await settled();
  for (let id = 10; id < 19; id += 1) replies.send({ id, result: { large } });
  for (let count = 0; count < 20; count += 1) {
    take();
    await settled();
  }
  expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
});

test("the timer of a reply does not keep the process alive, and stops when the reply is sent", async () => {
  const { channel, take } = slowChannel();
  const timers: unknown[] = [];
  let stopped = 0;
  const replies = new Replies(channel, {
    now: () => 0,
    after(ms, _, options) {
      timers.push([ms, options]);
      return () => {
        stopped += 1;
      };
    },
  });
  replies.send({ id: 1, result: {} });
  expect([timers, stopped]).toEqual([[[30_000, { background: true }]], 0]);
  take();
  await settled();
  expect(stopped).toBe(1);
});

test("a reply that cannot be converted to JSON is replaced by an error", async () => {
  const fake = createFakeChannel();
  const channel: Channel = { ...fake, send: async (message) => fake.send(JSON.parse(serialize(message))) };
  const replies = new Replies(channel, createManualClock());
  const loop: Record<string, JsonObject> = {};
  loop["self"] = loop;
  replies.send({ jsonrpc: "2.0", id: 1, result: loop });
  replies.send({ jsonrpc: "2.0", id: 2, result: {} });
  await settled();
  expect(fake.sent).toEqual([
    { jsonrpc: "2.0", id: 2, result: {} },
    {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32603, message: expect.stringContaining("circular structure") },
    },
  ]);
});
