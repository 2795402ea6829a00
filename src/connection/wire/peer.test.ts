import { describe, expect, test } from "vitest";
import { createFakeChannel, type FakeChannel } from "../../../test/support/fake-channel.ts";
import type { JsonObject, ToolProgress } from "../../model/index.ts";
import { createManualClock, type ManualClock } from "../../testing/index.ts";
import type { Channel } from "./channel.ts";
import { Peer } from "./peer.ts";
import { RpcRefusal } from "./rpc-refusal.ts";
import { failureOf } from "./wire-error.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function talking(): Promise<{ channel: FakeChannel; clock: ManualClock; peer: Peer }> {
  const channel = createFakeChannel();
  const clock = createManualClock();
  const peer = new Peer(channel, clock);
  await peer.start();
  return { channel, clock, peer };
}

const kindOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "answered",
    (error: unknown) => failureOf(error)?.kind,
  );

describe("a request", () => {
  test("gets its own response, even from a server that returns numeric IDs as strings", async () => {
    const { channel, peer } = await talking();
    const first = peer.request("a", {}, { timeoutMs: 100 });
    const second = peer.request("b", {}, { timeoutMs: 100 });
    channel.say({ id: "2", result: { it: "b" } });
    channel.say({ id: 1, result: { it: "a" } });
    expect([await first, await second]).toEqual([{ it: "a" }, { it: "b" }]);
  });

  test.each([
    ["a result and an error in one", { id: 1, result: {}, error: { code: 1, message: "no" } }, "refused"],
    ["neither a result nor an error", { id: 1 }, "notMcp"],
    ["a result that is not an object", { id: 1, result: [] }, "notMcp"],
    ["an error without words", { id: 1, error: {} }, "refused"],
  ])("with %s in its response fails immediately", async (_, answer, kind) => {
    const { channel, peer } = await talking();
    const request = kindOf(peer.request("a", {}, { timeoutMs: 100 }));
    channel.say(answer);
    expect(await request).toBe(kind);
  });

  test("is cancelled after its timeout, which progress restarts up to the total limit", async () => {
    const { channel, clock, peer } = await talking();
    const seen: ToolProgress[] = [];
    const options = { timeoutMs: 100, wholeMs: 250, onProgress: (step: ToolProgress) => seen.push(step) };
    const request = kindOf(peer.request("a", {}, options));
    for (const progress of [1, 2]) {
      clock.advance(99);
      channel.say({ method: "notifications/progress", params: { progressToken: 1, progress } });
    }
    channel.say({ method: "notifications/progress", params: { progressToken: 1, progress: "much" } });
    clock.advance(52);
    expect(await request).toBe("timeout");
    expect(seen).toEqual([{ progress: 1 }, { progress: 2 }]);
    expect(channel.sent.at(-1)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
  });

  test("that cannot be serialized fails, and is not cancelled later", async () => {
    const { channel, clock, peer } = await talking();
    const speechless: Channel = {
      ...channel,
      post: (message) => void JSON.stringify(message),
    };
    const own = new Peer(speechless, clock);
    await own.start();
    const endless: { [key: string]: JsonObject } = {};
    endless["self"] = endless;
    await expect(own.request("a", endless, { timeoutMs: 100 })).rejects.toThrow(/circular|cyclic/);
    clock.advance(1_000);
    expect(channel.sent).toEqual([]);
    await peer.close();
  });

  test("fails when the connection ends, and so does every later one", async () => {
    const { channel, peer } = await talking();
    const request = kindOf(peer.request("a", {}, { timeoutMs: 100 }));
    channel.end();
    expect(await request).toBe("closed");
    expect(await kindOf(peer.request("b", {}, { timeoutMs: 100 }))).toBe("closed");
  });
});

describe("a request from the server", () => {
  test("is answered, refused with the handler's code, or failed", async () => {
    const { channel, peer } = await talking();
    peer.onRequest = async (method) => {
      if (method === "bad") throw new RpcRefusal(-5, "no");
      if (method === "worse") throw new Error("oh");
      return { fine: true };
    };
    for (const [id, method] of ["good", "bad", "worse", "ping"].entries()) channel.say({ id, method });
    await settled();
    expect(channel.sent).toEqual([
      { jsonrpc: "2.0", id: 3, result: {} },
      { jsonrpc: "2.0", id: 0, result: { fine: true } },
      { jsonrpc: "2.0", id: 1, error: { code: -5, message: "no" } },
      { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "oh" } },
    ]);
  });

  test("that is open pauses the timeout of our own requests", async () => {
    const { channel, clock, peer } = await talking();
    let answer = (): void => {};
    peer.onRequest = () =>
      new Promise((resolve) => {
        answer = () => resolve({});
      });
    const request = kindOf(peer.request("a", {}, { timeoutMs: 100 }));
    channel.say({ id: "q", method: "elicitation/create" });
    clock.advance(1_000);
    answer();
    await settled();
    channel.say({ id: 1, result: {} });
    expect(await request).toBe("answered");
  });

  test("that is cancelled gets no response", async () => {
    const { channel, peer } = await talking();
    let wasTakenBack = false;
    peer.onRequest = (_method, _params, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          wasTakenBack = true;
          resolve({});
        });
      });
    channel.say({ id: 7, method: "elicitation/create" });
    channel.say({ method: "notifications/cancelled", params: { requestId: 7 } });
    await settled();
    expect(wasTakenBack).toBe(true);
    expect(channel.sent).toEqual([]);
  });
});

describe("a flood of requests from the server", () => {
  test("gets 120 ping responses per minute; the rest are dropped", async () => {
    const { channel, clock } = await talking();
    const ping = async (count: number): Promise<void> => {
      for (let id = 0; id < count; id += 1) {
        channel.say({ id, method: "ping" });
        await settled();
      }
    };
    await ping(500);
    expect(channel.sent).toHaveLength(120);
    clock.advance(60_000);
    await ping(1);
    expect(channel.sent).toHaveLength(121);
  });

  test("is refused at most 60 times a minute; more are dropped", async () => {
    const { channel, clock, peer } = await talking();
    peer.mayAsk = () => false;
    const ask = async (count: number): Promise<void> => {
      for (let id = 0; id < count; id += 1) {
        channel.say({ id, method: "roots/list" });
        await settled();
      }
    };
    await ask(500);
    expect(channel.sent).toHaveLength(60);
    clock.advance(60_000);
    await ask(1);
    expect(channel.sent).toHaveLength(61);
  });

  test.each(["ping", "roots/list"])(
    "of the kind %s makes no replies pile up if it takes none",
    async (method) => {
      const sent: unknown[] = [];
      const channel = createFakeChannel();
      const peer = new Peer(
        {
          ...channel,
          send: (message) => {
            sent.push(message);
            return new Promise(() => {});
          },
        },
        createManualClock(),
      );
      await peer.start();
      for (let id = 0; id < 10_000; id += 1) channel.say({ id, method });
      await settled();
      expect(sent).toHaveLength(8);
    },
  );
});

describe("an error without an ID", () => {
  const unaddressed = { id: null, error: { code: -32700, message: "I cannot read that" } };

  test("fails the only pending request", async () => {
    const { channel, peer } = await talking();
    const request = peer.request("a", {}, { timeoutMs: 100 });
    channel.say(unaddressed);
    await expect(request).rejects.toThrow("I cannot read that");
  });

  test("may belong to a notification, and then fails no request", async () => {
    const { channel, peer } = await talking();
    await peer.notify("notifications/initialized", {});
    const request = kindOf(peer.request("a", {}, { timeoutMs: 100 }));
    channel.say(unaddressed);
    channel.say({ id: 1, result: {} });
    expect(await request).toBe("answered");
  });

  test("belongs to the request if a request after the notification was answered", async () => {
    const { channel, peer } = await talking();
    await peer.notify("notifications/initialized", {});
    const first = kindOf(peer.request("a", {}, { timeoutMs: 100 }));
    channel.say({ id: 1, result: {} });
    const second = kindOf(peer.request("b", {}, { timeoutMs: 100 }));
    channel.say(unaddressed);
    expect([await first, await second]).toEqual(["answered", "refused"]);
  });

  test("fails none of several requests until it can only belong to one of them", async () => {
    const { channel, peer } = await talking();
    const first = kindOf(peer.request("a", {}, { timeoutMs: 100 }));
    const second = kindOf(peer.request("b", {}, { timeoutMs: 100 }));
    channel.say(unaddressed);
    channel.say({ id: 1, result: {} });
    expect([await first, await second]).toEqual(["answered", "refused"]);
  });

  test("fails all of several requests when there are as many errors", async () => {
    const { channel, peer } = await talking();
    const requests = ["a", "b", "c"].map((method) => kindOf(peer.request(method, {}, { timeoutMs: 100 })));
    for (const _ of requests) channel.say(unaddressed);
    expect(await Promise.all(requests)).toEqual(["refused", "refused", "refused"]);
  });

  test("does not belong to a request that was sent after it arrived", async () => {
    const { channel, peer } = await talking();
    channel.say(unaddressed);
    const request = kindOf(peer.request("a", {}, { timeoutMs: 100 }));
    channel.say({ method: "notifications/message", params: {} });
    channel.say({ id: 1, result: {} });
    expect(await request).toBe("answered");
  });
});

test("a handler that throws affects only its own message, and is reported", async () => {
  const { channel, peer } = await talking();
  const failed: unknown[] = [];
  peer.onHandlerError = (error) => failed.push(error);
  const wrong = new Error("wrong");
  peer.onNotification = () => {
    throw wrong;
  };
  const request = peer.request("a", {}, { timeoutMs: 100 });
  channel.say({ method: "notifications/message", params: { data: "x" } });
  channel.say({ id: 1, result: { it: "a" } });
  expect(await request).toEqual({ it: "a" });
  expect(failed).toEqual([wrong]);
});

test("an error handler that throws has no effect", async () => {
  const { channel, peer } = await talking();
  peer.onHandlerError = () => {
    throw new Error("the log is broken");
  };
  peer.onNotification = () => {
    throw new Error("wrong");
  };
  expect(() => channel.say({ method: "notifications/message", params: {} })).not.toThrow();
});

test("a request is dropped and reported if the rate limit check throws", async () => {
  const { channel, peer } = await talking();
  const failed: unknown[] = [];
  peer.onHandlerError = (error) => failed.push(error);
  peer.mayAsk = () => {
    throw new Error("wrong");
  };
  channel.say({ id: "q", method: "elicitation/create", params: {} });
  await settled();
  expect(failed).toEqual([new Error("wrong")]);
});

test("a request with an ID of several megabytes gets no reply and is not treated as a notification", async () => {
  const { channel, peer } = await talking();
  const heard: string[] = [];
  peer.onNotification = (method) => heard.push(method);
  for (const method of ["ping", "roots/list"]) channel.say({ id: "x".repeat(1_000_000), method, params: {} });
  channel.say({ id: "x".repeat(1_000), method: "ping" });
  await settled();
  expect(channel.sent.map(({ id }) => String(id).length)).toEqual([1_000]);
  expect(heard).toEqual([]);
});
