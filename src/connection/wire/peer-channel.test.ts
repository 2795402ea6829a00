import { describe, expect, test } from "vitest";
import { createFakeChannel } from "../../../test/support/fake-channel.ts";
import { createManualClock } from "../../testing/index.ts";
import type { Channel, SendOptions } from "./channel.ts";
import type { Message } from "./message.ts";
import { Peer } from "./peer.ts";
import { failureOf } from "./wire-error.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function connect(over: Partial<Channel> = {}, perRequest = false) {
  const channel = createFakeChannel({ perRequest });
  const clock = createManualClock();
  const peer = new Peer({ ...channel, ...over }, clock);
  await peer.start();
  return { channel, clock, peer };
}

const failureIn = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "answered",
    (error: unknown) => failureOf(error) ?? error,
  );

describe("a request with its own stream", () => {
  test("fails if the stream ends without a response", async () => {
    const { channel, peer } = await connect({}, true);
    const request = peer.request("a", {}, { timeoutMs: 100 });
    channel.drop();
    await expect(request).rejects.toThrow("the stream ended without a response");
    expect(await failureIn(request)).toStrictEqual({ kind: "streamLost" });
  });

  test("fails with the error of the stream", async () => {
    const { channel, peer } = await connect({}, true);
    const request = failureIn(peer.request("a", {}, { timeoutMs: 100 }));
    channel.drop(503);
    expect(await request).toStrictEqual({ kind: "status", status: 503 });
  });

  test("keeps its response if the stream fails afterwards", async () => {
    for (const status of [undefined, 503]) {
      const { channel, peer } = await connect({}, true);
      const request = peer.request("a", {}, { timeoutMs: 100 });
      channel.say({ id: 1, result: { it: "a" } });
      channel.drop(status);
      expect(await request).toEqual({ it: "a" });
    }
  });

  test("does not fail for an error without an ID, which may belong to another stream", async () => {
    const { channel, peer } = await connect({}, true);
    const request = failureIn(peer.request("a", {}, { timeoutMs: 100 }));
    channel.say({ id: null, error: { code: -32700, message: "no" } });
    channel.say({ id: 1, result: {} });
    expect(await request).toBe("answered");
  });

  test("is sent with its headers, and its stream is closed when the connection ends", async () => {
    const options: (SendOptions | undefined)[] = [];
    const send: Channel["send"] = (_, how) => {
      options.push(how);
      return new Promise(() => {});
    };
    const { channel, peer } = await connect({ send }, true);
    const request = failureIn(peer.request("a", {}, { timeoutMs: 100, headers: { "x-a": "1" } }));
    expect(options).toMatchObject([{ headers: { "x-a": "1" }, signal: { aborted: false } }]);
    channel.end();
    expect(await request).toStrictEqual({ kind: "closed" });
    expect(options).toMatchObject([{ signal: { aborted: true } }]);
  });
});

describe("a request on a shared stream", () => {
  test("waits for its response after it is sent, without its own signal", async () => {
    const options: (SendOptions | undefined)[] = [];
    const send: Channel["send"] = async (_, how) => void options.push(how);
    const { channel, peer } = await connect({ send });
    const request = failureIn(peer.request("a", {}, { timeoutMs: 100 }));
    await settled();
    channel.say({ id: 1, result: {} });
    expect(await request).toBe("answered");
    expect(options).toEqual([{ signal: undefined, headers: undefined }]);
  });

  test("fails if it cannot be sent", async () => {
    const broken = new Error("the pipe is closed");
    const { peer } = await connect({ send: () => Promise.reject(broken) });
    expect(await failureIn(peer.request("a", {}, { timeoutMs: 100 }))).toBe(broken);
  });

  test("is posted if the channel can post, unless closing must wait for it", async () => {
    const posted: Message[] = [];
    const post: Channel["post"] = (message) => void posted.push(message);
    const { channel, peer } = await connect({ post });
    void peer.request("a", {}, { timeoutMs: 100 });
    void peer.request("b", {}, { timeoutMs: 100, isLastWord: true });
    expect(posted.map(({ method }) => method)).toEqual(["a"]);
    expect(channel.sent.map(({ method }) => method)).toEqual(["b"]);
  });
});

describe("closing", () => {
  /** Records the order in which sends and closing end. */
  async function connectSlowly() {
    const events: string[] = [];
    const sends: (() => void)[] = [];
    const { clock, peer } = await connect({
      send: (message) =>
        new Promise((resolve, reject) => {
          sends.push(() => {
            events.push(String(message["method"]));
            if (message["method"] === "fail") reject(new Error("no"));
            else resolve();
          });
        }),
      async close() {
        events.push("closed");
      },
    });
    return { clock, peer, events, sends };
  }

  test.each(["notify", "fail"])("waits for a notification that is being sent: %s", async (method) => {
    const { peer, events, sends } = await connectSlowly();
    const noticed = peer.notify(method, {}).catch(() => "failed");
    const closing = peer.close();
    await settled();
    expect(events).toEqual([]);
    for (const finish of sends) finish();
    await closing;
    await noticed;
    expect(events).toEqual([method, "closed"]);
  });

  test("waits for a request that is marked as last", async () => {
    const { peer, events, sends } = await connectSlowly();
    const request = failureIn(peer.request("tasks/cancel", {}, { timeoutMs: 100, isLastWord: true }));
    const closing = peer.close();
    await settled();
    expect(events).toEqual([]);
    for (const finish of sends) finish();
    await closing;
    expect(events).toEqual(["tasks/cancel", "closed"]);
    expect(await request).toStrictEqual({ kind: "closed" });
  });

  test("does not wait for any other request", async () => {
    const { peer, events } = await connectSlowly();
    const request = failureIn(peer.request("a", {}, { timeoutMs: 100 }));
    await peer.close();
    expect(events).toEqual(["closed"]);
    expect(await request).toStrictEqual({ kind: "closed" });
  });

  test("waits for half a second at most", async () => {
    const { clock, peer, events } = await connectSlowly();
    void peer.notify("never", {});
    const closing = peer.close();
    await settled();
    clock.advance(499);
    await settled();
    expect(events).toEqual([]);
    clock.advance(1);
    await closing;
    expect(events).toEqual(["closed"]);
  });

  test("does not wait for notifications that were sent", async () => {
    const { peer, events, sends } = await connectSlowly();
    const noticed = peer.notify("notify", {});
    for (const finish of sends) finish();
    await noticed;
    await peer.close();
    expect(events).toEqual(["notify", "closed"]);
  });

  test("cancels requests that are being answered, and sends no reply", async () => {
    const { channel, peer } = await connect();
    const signals: AbortSignal[] = [];
    let finish = (): void => {};
    peer.onRequest = (_method, _params, signal) => {
      signals.push(signal);
      return new Promise((resolve) => {
        finish = () => resolve({});
      });
    };
    channel.say({ id: 1, method: "roots/list" });
    await peer.close();
    finish();
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(channel.sent).toEqual([]);
  });
});

describe("a server's request", () => {
  test("is refused if the client has no handler", async () => {
    const { channel } = await connect();
    channel.say({ id: "q", method: "roots/list" });
    await settled();
    const error = { code: -32601, message: "Unsupported server request: roots/list" };
    expect(channel.sent).toStrictEqual([{ jsonrpc: "2.0", id: "q", error }]);
  });

  test("is handled with its params, or with none if they are not an object", async () => {
    const { channel, peer } = await connect();
    const seen: unknown[] = [];
    peer.onRequest = async (method, params) => {
      seen.push([method, params]);
      return {};
    };
    channel.say({ id: 1, method: "a", params: { b: 1 } });
    channel.say({ id: 2, method: "a", params: [1] });
    channel.say({ id: 3, method: "a" });
    expect(seen).toStrictEqual([
      ["a", { b: 1 }],
      ["a", {}],
      ["a", {}],
    ]);
  });

  test("is refused with the message of whatever the handler threw", async () => {
    const { channel, peer } = await connect();
    peer.onRequest = () => Promise.reject("a text");
    channel.say({ id: 1, method: "a" });
    await settled();
    expect(channel.sent).toMatchObject([{ error: { code: -32603, message: "a text" } }]);
  });

  test("is refused before its handler runs if the server exceeds the limit", async () => {
    const { channel, peer } = await connect();
    peer.mayAsk = () => false;
    peer.onRequest = () => Promise.reject(new Error("asked"));
    channel.say({ id: 1, method: "roots/list" });
    await settled();
    const error = { code: -32000, message: "Too many requests. Try again later." };
    expect(channel.sent).toStrictEqual([{ jsonrpc: "2.0", id: 1, error }]);
  });

  test("is refused only while half of the queue for replies is free", async () => {
    const sent: unknown[] = [];
    const waiting: (() => void)[] = [];
    const send: Channel["send"] = (message) => {
      sent.push(message["id"]);
      return new Promise((resolve) => waiting.push(resolve));
    };
    const { channel, peer } = await connect({ send });
    peer.mayAsk = () => false;
    for (let id = 0; id < 100; id += 1) channel.say({ id, method: "roots/list" });
    for (let count = 0; count < 100; count += 1) {
      waiting.shift()?.();
      await settled();
    }
    expect(sent).toEqual(Array.from({ length: 8 + 32 }, (_, id) => id));
  });

  test("is cancelled only by its ID", async () => {
    const { channel, peer } = await connect();
    const signals: AbortSignal[] = [];
    peer.onRequest = (_method, _params, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    channel.say({ id: 1, method: "a" });
    channel.say({ id: "b", method: "a" });
    for (const requestId of [2, null, ["b"]])
      channel.say({ method: "notifications/cancelled", params: { requestId } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    channel.say({ method: "notifications/cancelled", params: { requestId: "b" } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });
});

describe("a message", () => {
  test("is always counted", async () => {
    const { channel, peer } = await connect();
    let count = 0;
    peer.onMessage = () => {
      count += 1;
    };
    for (const message of [{ id: 1, method: "ping" }, { method: "a" }, { id: 9, result: {} }, {}])
      channel.say(message);
    expect(count).toBe(4);
  });

  test("without a valid ID is a notification, unless the ID is a string", async () => {
    const { channel, peer } = await connect();
    const heard: unknown[] = [];
    peer.onNotification = (method, params) => heard.push([method, params]);
    channel.say({ method: "a", params: { b: 1 } });
    channel.say({ id: null, method: "b", params: "x" });
    channel.say({ id: "x".repeat(2_000), method: "c" });
    expect(heard).toStrictEqual([
      ["a", { b: 1 }],
      ["b", {}],
    ]);
  });

  test("that matches no pending request is ignored", async () => {
    const { channel, peer } = await connect();
    const request = failureIn(peer.request("a", {}, { timeoutMs: 100 }));
    for (const id of [2, "x", "", [1], {}]) channel.say({ id, result: {} });
    channel.say({ id: 1, error: "text", result: { fine: true } });
    expect(await request).toBe("answered");
  });
});
