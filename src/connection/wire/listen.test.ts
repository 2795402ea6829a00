import { expect, test } from "vitest";
import { createFakeChannel, type FakeChannel } from "../../../test/support/fake-channel.ts";
import { createManualClock } from "../../testing/index.ts";
import { type ListenOptions, listen } from "./listen.ts";
import { Peer } from "./peer.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function listening(capabilities: ListenOptions["agreement"]["capabilities"], modern = true) {
  const channel = createFakeChannel({ perRequest: true });
  const clock = createManualClock();
  const peer = new Peer(channel, clock);
  await peer.start();
  let reopened = 0;
  const over = new AbortController();
  void channel.ended.then(() => over.abort());
  const isOver = listen(peer, {
    agreement: { version: "2026-07-28", modern, server: {}, capabilities, instructions: undefined },
    identity: { name: "test", version: "1", capabilities: { legacy: {}, modern: {} } },
    clock,
    signal: over.signal,
    onReopened() {
      reopened += 1;
    },
  });
  return { channel, clock, isOver, reopened: () => reopened };
}

const CHANGING = { tools: { listChanged: true }, prompts: { listChanged: false }, resources: {} };

test("only lists that can change are subscribed to", async () => {
  const { channel } = await listening(CHANGING);
  expect(channel.sent).toMatchObject([
    { method: "subscriptions/listen", params: { notifications: { toolsListChanged: true } } },
  ]);
  const kinds = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const changing = { listChanged: true };
  const all = await listening({ tools: changing, prompts: changing, resources: changing, logging: changing });
  expect(all.channel.sent[0]?.["params"]).toHaveProperty("notifications", kinds);
  const none = await listening({ tools: {} });
  await none.isOver;
  expect(none.channel.sent).toEqual([]);
});

test("no stream is opened for a legacy server", async () => {
  const { channel, isOver } = await listening(CHANGING, false);
  await isOver;
  expect(channel.sent).toEqual([]);
});

test("a stream may last for as long as a timer can wait", async () => {
  const { channel, clock } = await listening(CHANGING);
  clock.advance(2_147_483_646);
  await settled();
  expect(channel.sent).toHaveLength(1);
});

test("the wait before the next stream grows to 30 seconds", async () => {
  const { channel, clock } = await listening(CHANGING);
  const waits: number[] = [];
  for (let time = 1; time <= 7; time += 1) {
    channel.drop();
    await settled();
    const count = channel.sent.length;
    let waited = 0;
    for (; channel.sent.length === count; waited += 500) {
      clock.advance(500);
      await settled();
    }
    waits.push(waited);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test.each([
  ["a minute", 60_000, 1_000],
  ["less than a minute", 59_999, 2_000],
])("the wait is short again after a stream that lasted %s", async (_, lastedMs, waitMs) => {
  const { channel, clock } = await listening(CHANGING);
  channel.drop();
  await settled();
  clock.advance(1_000);
  await settled();
  clock.advance(lastedMs);
  channel.drop();
  await settled();
  clock.advance(waitMs - 1);
  await settled();
  expect(channel.sent).toHaveLength(2);
  clock.advance(1);
  await settled();
  expect(channel.sent).toHaveLength(3);
});

test.each([
  ["500", 500],
  ["429", 429],
])("a stream that fails with %s is reopened", async (_, status) => {
  const { channel, clock } = await listening(CHANGING);
  channel.drop(status);
  await settled();
  clock.advance(1_000);
  await settled();
  expect(channel.sent).toHaveLength(2);
});

test("a stream that ends is reopened after a growing wait, and then reported", async () => {
  const { channel, clock, reopened } = await listening(CHANGING);
  channel.drop();
  await settled();
  clock.advance(999);
  await settled();
  expect([channel.sent.length, reopened()]).toEqual([1, 0]);
  clock.advance(1);
  await settled();
  expect([channel.sent.length, reopened()]).toEqual([2, 1]);
  channel.drop(503);
  await settled();
  clock.advance(1_999);
  await settled();
  expect(channel.sent).toHaveLength(2);
  clock.advance(1);
  await settled();
  expect([channel.sent.length, reopened()]).toEqual([3, 2]);
});

test("a long-lived stream is reopened after the shortest wait", async () => {
  const { channel, clock } = await listening(CHANGING);
  for (let time = 1; time <= 5; time += 1) {
    channel.drop();
    await settled();
    clock.advance(30_000);
    await settled();
  }
  clock.advance(60_000);
  channel.drop();
  await settled();
  clock.advance(1_000);
  await settled();
  expect(channel.sent).toHaveLength(7);
});

test.each<[string, (channel: FakeChannel) => void]>([
  ["is not found", (channel) => channel.drop(404)],
  ["is refused with any other status below 500", (channel) => channel.drop(499)],
  ["is refused by an error", (channel) => channel.say({ id: 1, error: { code: -32601, message: "no" } })],
  ["is answered with something that is not MCP", (channel) => channel.say({ id: 1, result: "odd" })],
  ["ends with its connection", (channel) => channel.end()],
])("a stream that %s is not reopened", async (_, happen) => {
  const { channel, clock, isOver } = await listening(CHANGING);
  happen(channel);
  await isOver;
  clock.advance(100_000);
  await settled();
  expect(channel.sent).toHaveLength(1);
});

test("the end of the connection ends the wait for the next stream", async () => {
  const { channel, isOver } = await listening(CHANGING);
  channel.drop();
  await settled();
  channel.end();
  await isOver;
  expect(channel.sent).toHaveLength(1);
});
