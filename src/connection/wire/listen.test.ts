import { expect, test } from "vitest";
import { createFakeChannel } from "../../../test/support/fake-channel.ts";
import { createManualClock } from "../../testing/index.ts";
import { type ListenOptions, listen } from "./listen.ts";
import { Peer } from "./peer.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function listening(capabilities: ListenOptions["agreement"]["capabilities"]) {
  const channel = createFakeChannel({ perRequest: true });
  const clock = createManualClock();
  const peer = new Peer(channel, clock);
  await peer.start();
  let reopened = 0;
  const over = new AbortController();
  void channel.ended.then(() => over.abort());
  const isOver = listen(peer, {
    agreement: { version: "2026-07-28", modern: true, server: {}, capabilities, instructions: undefined },
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

test("what can change is listened to, and nothing else", async () => {
  const { channel } = await listening(CHANGING);
  expect(channel.sent).toMatchObject([
    { method: "subscriptions/listen", params: { notifications: { toolsListChanged: true } } },
  ]);
  const none = await listening({ tools: {} });
  await none.isOver;
  expect(none.channel.sent).toEqual([]);
});

test("a stream that drops is opened again after a while that grows, and that is said once it is open", async () => {
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

test("a stream that lasted is opened again as soon as the first", async () => {
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

test.each([
  ["is refused", ({ channel }: { channel: ReturnType<typeof createFakeChannel> }) => channel.drop(404)],
  [
    "ends with its connection",
    ({ channel }: { channel: ReturnType<typeof createFakeChannel> }) => channel.end(),
  ],
])("a stream that %s is not asked for again", async (_, happen) => {
  const { channel, clock, isOver } = await listening(CHANGING);
  happen({ channel });
  await isOver;
  clock.advance(100_000);
  await settled();
  expect(channel.sent).toHaveLength(1);
});

test("a connection that ends while the next stream is waited for ends the wait", async () => {
  const { channel, isOver } = await listening(CHANGING);
  channel.drop();
  await settled();
  channel.end();
  await isOver;
  expect(channel.sent).toHaveLength(1);
});
