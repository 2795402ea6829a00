import { describe, expect, test } from "vitest";
import { createFakeChannel, type FakeChannel } from "../../../test/support/fake-channel.ts";
import type { JsonObject, ToolProgress } from "../../model/index.ts";
import { createManualClock, type ManualClock } from "../../testing/index.ts";
import type { Channel, SendOptions } from "./channel.ts";
import { Peer } from "./peer.ts";
import { failureOf } from "./wire-error.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Setup {
  readonly channel: FakeChannel;
  readonly clock: ManualClock;
  readonly peer: Peer;
  /** The options of each send. */
  readonly options: (SendOptions | undefined)[];
  /** How many times `onSilence` was called. */
  silences(): number;
}

async function connect({
  perRequest = false,
  over = {},
}: {
  readonly perRequest?: boolean;
  readonly over?: Partial<Channel>;
} = {}): Promise<Setup> {
  const channel = createFakeChannel({ perRequest });
  const clock = createManualClock();
  const options: (SendOptions | undefined)[] = [];
  const peer = new Peer(
    {
      ...channel,
      send(message, how) {
        options.push(how);
        return channel.send(message);
      },
      ...over,
    },
    clock,
  );
  let silences = 0;
  peer.onSilence = () => {
    silences += 1;
  };
  await peer.start();
  return { channel, clock, peer, options, silences: () => silences };
}

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "answered",
    (error: unknown) => [failureOf(error), (error as Error).message],
  );

const cancellations = ({ sent }: FakeChannel): unknown[] =>
  sent.filter(({ method }) => method === "notifications/cancelled").map(({ params }) => params);

const ABORTED = [{ kind: "aborted" }, "the caller cancelled the request"];

describe("a progress token", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["is added", { name: "a" }, { name: "a", _meta: { progressToken: 1 } }],
    ["joins the request's own _meta", { _meta: { a: 1 } }, { _meta: { a: 1, progressToken: 1 } }],
    ["replaces another token", { _meta: { progressToken: 9 } }, { _meta: { progressToken: 1 } }],
  ])("%s if the caller wants progress", async (_, params, framed) => {
    const { channel, peer } = await connect();
    void peer.request("a", params, { timeoutMs: 100, onProgress: () => {} });
    void peer.request("b", params, { timeoutMs: 100 });
    expect(channel.sent).toStrictEqual([
      { jsonrpc: "2.0", id: 1, method: "a", params: framed },
      { jsonrpc: "2.0", id: 2, method: "b", params },
    ]);
  });
});

describe("progress of a request", () => {
  test.each<[string, JsonObject, ToolProgress]>([
    ["with everything", { total: 9, message: "half" }, { progress: 5, total: 9, message: "half" }],
    ["without a total or a message", {}, { progress: 5 }],
    ["with members of the wrong type", { total: "9", message: 1 }, { progress: 5 }],
    [
      "with a very long message",
      { message: "m".repeat(5_000) },
      { progress: 5, message: `${"m".repeat(3_999)}…` },
    ],
  ])("is reported %s", async (_, told, expected) => {
    const { channel, peer } = await connect();
    const seen: ToolProgress[] = [];
    void peer.request("a", {}, { timeoutMs: 100, onProgress: (step) => seen.push(step) });
    channel.say({ method: "notifications/progress", params: { progressToken: 1, progress: 5, ...told } });
    expect(seen).toStrictEqual([expected]);
  });

  test("is ignored if its token is unknown, and never passed on as a notification", async () => {
    const { channel, peer } = await connect();
    const heard: string[] = [];
    peer.onNotification = (method) => heard.push(method);
    const seen: ToolProgress[] = [];
    void peer.request("a", {}, { timeoutMs: 100, onProgress: (step) => seen.push(step) });
    for (const progressToken of [2, "x", null, [1]])
      channel.say({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    channel.say({ method: "notifications/progress" });
    channel.say({ method: "notifications/cancelled", params: { requestId: 1 } });
    channel.say({ method: "notifications/message", params: { data: "x" } });
    expect([seen, heard]).toEqual([[], ["notifications/message"]]);
  });

  test("also restarts the timeout of a request without a callback", async () => {
    const { channel, clock, peer } = await connect();
    const request = outcomeOf(peer.request("a", {}, { timeoutMs: 100 }));
    clock.advance(99);
    channel.say({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
    clock.advance(99);
    channel.say({ id: 1, result: {} });
    expect(await request).toBe("answered");
  });
});

describe("a request's time limit", () => {
  test.each<[string, { timeoutMs: number; wholeMs?: number }, number]>([
    ["is its timeout", { timeoutMs: 100 }, 100],
    ["is its timeout if the limit for the whole call is longer", { timeoutMs: 100, wholeMs: 200 }, 100],
    ["is the limit for the whole call if that is shorter", { timeoutMs: 100, wholeMs: 60 }, 60],
    ["is its timeout if the whole call is unlimited", { timeoutMs: 100, wholeMs: Infinity }, 100],
  ])("%s", async (_, limits, ms) => {
    const { channel, clock, peer } = await connect();
    const request = outcomeOf(peer.request("a", {}, limits));
    clock.advance(ms - 1);
    expect(channel.sent).toHaveLength(1);
    clock.advance(1);
    const reason = `no response within ${ms} ms`;
    expect(await request).toStrictEqual([{ kind: "timeout" }, reason]);
    expect(cancellations(channel)).toEqual([{ requestId: 1, reason }]);
  });

  test("for the whole call counts from its start, regardless of progress", async () => {
    const { channel, clock, peer } = await connect();
    const request = outcomeOf(peer.request("a", {}, { timeoutMs: 100, wholeMs: 250 }));
    for (let step = 1; step <= 4; step += 1) {
      clock.advance(60);
      channel.say({ method: "notifications/progress", params: { progressToken: 1, progress: step } });
    }
    clock.advance(9);
    expect(channel.sent).toHaveLength(1);
    clock.advance(1);
    const reason = "not finished within 250 ms";
    expect(await request).toStrictEqual([{ kind: "timeout", wholeMs: 250 }, reason]);
    expect(cancellations(channel)).toEqual([{ requestId: 1, reason }]);
  });

  test("sets no timer for a whole call without a limit", async () => {
    const clock = createManualClock();
    const timers: number[] = [];
    const channel = createFakeChannel();
    const after: ManualClock["after"] = (ms, callback) => {
      timers.push(ms);
      return clock.after(ms, callback);
    };
    const peer = new Peer(channel, { ...clock, after });
    await peer.start();
    for (const wholeMs of [undefined, Infinity]) void peer.request("a", {}, { timeoutMs: 100, wholeMs });
    for (const progressToken of [1, 2])
      channel.say({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    expect(timers).toEqual([100]);
  });

  test("ends with the response: nothing is cancelled later", async () => {
    const { channel, clock, peer, silences } = await connect();
    const request = peer.request("a", {}, { timeoutMs: 100, wholeMs: 150 });
    channel.say({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
    channel.say({ id: 1, result: {} });
    await request;
    clock.advance(10_000);
    expect([channel.sent.length, silences()]).toEqual([1, 0]);
  });
});

describe("a caller that cancels", () => {
  test("before the request is sent gets an error, and nothing is sent", async () => {
    const { channel, peer } = await connect();
    const signal = AbortSignal.abort();
    expect(await outcomeOf(peer.request("a", {}, { timeoutMs: 100, signal }))).toStrictEqual(ABORTED);
    expect(channel.sent).toEqual([]);
  });

  test.each([
    [false, false, true, false],
    [true, false, true, true],
    [true, true, false, true],
  ])(
    "cancels on the server: own stream %s, by closing %s; notification %s, stream closed %s",
    async (perRequest, cancelByClosing, isNotified, isClosed) => {
      const { channel, peer, options, silences } = await connect({ perRequest });
      peer.cancelByClosing = cancelByClosing;
      const caller = new AbortController();
      const request = outcomeOf(peer.request("a", {}, { timeoutMs: 100, signal: caller.signal }));
      caller.abort();
      expect(await request).toStrictEqual(ABORTED);
      expect(cancellations(channel)).toEqual(
        isNotified ? [{ requestId: 1, reason: "the caller cancelled the request" }] : [],
      );
      expect(options[0]?.signal?.aborted ?? false).toBe(isClosed);
      expect(silences()).toBe(0);
    },
  );

  test("after the response cancels nothing, and its signal has no listener", async () => {
    const { channel, peer } = await connect();
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const counted = Object.assign(signal, {
      addEventListener: (_: string, listener: unknown) => void listeners.add(listener),
      removeEventListener: (_: string, listener: unknown) => void listeners.delete(listener),
    });
    const request = peer.request("a", {}, { timeoutMs: 100, signal: counted });
    expect(listeners.size).toBe(1);
    channel.say({ id: 1, result: {} });
    await request;
    expect(listeners.size).toBe(0);
  });

  test("does not affect other requests, and a failing notification does not matter", async () => {
    let sends = 0;
    const over: Partial<Channel> = {
      async send() {
        sends += 1;
        if (sends > 2) throw new Error("the pipe is closed");
      },
    };
    const { channel, peer } = await connect({ over });
    const caller = new AbortController();
    const first = outcomeOf(peer.request("a", {}, { timeoutMs: 100, signal: caller.signal }));
    const second = outcomeOf(peer.request("b", {}, { timeoutMs: 100 }));
    caller.abort();
    await settled();
    channel.say({ id: 2, result: {} });
    expect([await first, await second]).toStrictEqual([ABORTED, "answered"]);
  });
});

describe("silence is reported", () => {
  test.each<[string, (setup: Setup) => void, number]>([
    ["if a request times out without a message", () => {}, 1],
    ["not if a message arrived", ({ channel }) => channel.say({ method: "notifications/message" }), 0],
    [
      "if the last message was progress before the limit was renewed",
      ({ channel, clock }) => {
        clock.advance(50);
        channel.say({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
      },
      1,
    ],
  ])("%s", async (_, happen, count) => {
    const setup = await connect();
    const request = outcomeOf(setup.peer.request("a", {}, { timeoutMs: 100 }));
    happen(setup);
    setup.clock.advance(100);
    await request;
    expect(setup.silences()).toBe(count);
  });

  test.each<[string, unknown, number]>([
    ["if the caller's own limit ran out", new DOMException("late", "TimeoutError"), 1],
    ["not for any other reason", new Error("no"), 0],
    ["not for a reason that is only named like it", { name: "TimeoutError" }, 0],
  ])("when a caller cancels: %s", async (_, reason, count) => {
    const { peer, silences } = await connect();
    const caller = new AbortController();
    const request = outcomeOf(peer.request("a", {}, { timeoutMs: 100, signal: caller.signal }));
    caller.abort(reason);
    expect(await request).toStrictEqual(ABORTED);
    expect(silences()).toBe(count);
  });

  test("not while the server waits for an answer", async () => {
    const { channel, peer, silences } = await connect();
    peer.onRequest = () => new Promise(() => {});
    channel.say({ id: "q", method: "elicitation/create" });
    const caller = new AbortController();
    const request = outcomeOf(peer.request("a", {}, { timeoutMs: 100, signal: caller.signal }));
    caller.abort(new DOMException("late", "TimeoutError"));
    await request;
    expect(silences()).toBe(0);
  });

  test("not once the connection is closed", async () => {
    const { peer, silences } = await connect();
    const caller = new AbortController();
    const request = outcomeOf(peer.request("a", {}, { timeoutMs: 100, signal: caller.signal }));
    const closing = peer.close();
    caller.abort(new DOMException("late", "TimeoutError"));
    await closing;
    expect(await request).toStrictEqual([{ kind: "closed" }, "the connection ended"]);
    expect(silences()).toBe(0);
  });
});
