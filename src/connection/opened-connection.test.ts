import { describe, expect, test } from "vitest";
import { createFakeChannel, type FakeChannel } from "../../test/support/fake-channel.ts";
import { type JsonObject, MODERN_VERSION, messageOf, Redactor } from "../model/index.ts";
import { createManualClock, type ManualClock } from "../testing/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import type { RequestOptions } from "./connection.ts";
import { OpenedConnection } from "./opened-connection.ts";
import { ServerLogHandler } from "./server-log-handler.ts";
import { announcedCapabilities } from "./wire/announced-capabilities.ts";
import { ServerRequestHandler } from "./wire/answer-server.ts";
import { Peer } from "./wire/peer.ts";

const CALL_MS = 1_000;
const PROBE_MS = 5_000;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Talk {
  readonly channel: FakeChannel;
  readonly clock: ManualClock;
  readonly connection: OpenedConnection;
  /** Sends a call. `outcome` is set when it has ended. */
  call(options?: Partial<RequestOptions>): { outcome: string };
  /** Sends a call that times out without a message from the server. */
  letTimeOut(): Promise<void>;
  /** The sent methods, without those that a connection sends on its own. */
  methods(): unknown[];
  /** The id of the last request with that method. */
  idOf(method: string): unknown;
}

interface TalkOptions {
  /** Answers the server's requests. */
  readonly answers?: () => Promise<JsonObject>;
  readonly modern?: boolean;
  readonly perRequest?: boolean;
}

async function talking({ modern = false, perRequest = false, answers }: TalkOptions = {}): Promise<Talk> {
  const channel = createFakeChannel({ perRequest });
  const clock = createManualClock();
  const peer = new Peer(channel, clock);
  if (answers !== undefined) peer.onRequest = answers;
  await peer.start();
  const redactor = new Redactor();
  const log = { log: () => {} };
  const answerer = new ServerRequestHandler({
    server: "s",
    handlers: {},
    clock,
    log,
    onUnanswered: () => {},
  });
  const connection = new OpenedConnection({
    server: { name: "s", timeoutMs: CALL_MS } as ResolvedServer,
    channel,
    peer,
    stdio: undefined,
    agreement: {
      version: modern ? MODERN_VERSION : "2025-11-25",
      modern,
      server: {},
      capabilities: {},
      instructions: undefined,
    },
    handshake: {
      identity: { name: "plugboard", version: "1", capabilities: announcedCapabilities({}) },
      timeoutMs: CALL_MS,
      probeMs: CALL_MS,
      protocol: "auto",
    },
    clock,
    redactor,
    answerer,
    roots: undefined,
    logs: new ServerLogHandler({ clock, redactor, wanted: undefined, onLine: () => {} }),
  });
  const call: Talk["call"] = (options) => {
    const state = { outcome: "waits" };
    connection.request("tools/call", { name: "t" }, { timeoutMs: CALL_MS, ...options }).then(
      () => (state.outcome = "answered"),
      (error: unknown) => (state.outcome = messageOf(error)),
    );
    return state;
  };
  return {
    channel,
    clock,
    connection,
    call,
    async letTimeOut() {
      const timed = call();
      clock.advance(CALL_MS);
      await settled();
      expect(timed.outcome).toBe(`"s" did not answer within ${CALL_MS} ms`);
    },
    methods: () =>
      channel.sent.map(({ method }) => method).filter((method) => method !== "notifications/cancelled"),
    idOf: (method) => channel.sent.findLast((message) => message["method"] === method)?.["id"],
  };
}

const isOver = async ({ connection }: Talk): Promise<boolean> => {
  let over = false;
  void connection.ended.then(() => (over = true));
  await settled();
  return over;
};

const progress = (token: unknown, step: number): JsonObject => ({
  method: "notifications/progress",
  params: { progressToken: token as number, progress: step },
});

const ERAS = [
  { era: "legacy", modern: false, probe: "ping" },
  { era: "modern", modern: true, probe: "server/discover" },
];

describe.each(ERAS)("a $era server that let a call time out", ({ modern, probe }) => {
  test(`is probed with ${probe} and abandoned if it does not answer`, async () => {
    const talk = await talking({ modern });
    await talk.letTimeOut();
    expect(talk.methods()).toEqual(["tools/call", probe]);
    talk.clock.advance(PROBE_MS - 1);
    expect(await isOver(talk)).toBe(false);
    talk.clock.advance(1);
    expect(await isOver(talk)).toBe(true);
    expect(await talk.connection.ended).toEqual({
      expected: false,
      message: `"s" stopped responding (no answer to ${probe} within 5000 ms), so its connection was replaced`,
    });
  });

  test.each([
    ["a result", { result: {} }],
    ["an error", { error: { code: -32601, message: "Method not found" } }],
  ])("and answers the probe with %s is kept", async (_, answer) => {
    const talk = await talking({ modern });
    await talk.letTimeOut();
    talk.channel.say({ id: talk.idOf(probe), ...answer });
    expect(await talk.connection.probing).toBe(true);
    talk.clock.advance(60_000);
    expect(await isOver(talk)).toBe(false);
  });

  test.each([
    ["a log line", { method: "notifications/message", params: { level: "info", data: "busy" } }],
    ["the late answer to the call", { id: 1, result: {} }],
    ["a request of its own", { id: "q", method: "ping" }],
  ])("and sends %s instead of answering the probe is kept", async (_, message) => {
    const talk = await talking({ modern });
    await talk.letTimeOut();
    talk.channel.say(message);
    expect(await talk.connection.probing).toBe(true);
    talk.clock.advance(60_000);
    expect(await isOver(talk)).toBe(false);
  });

  test("and sent a message in the meantime is not probed", async () => {
    const talk = await talking({ modern });
    const call = talk.call();
    talk.channel.say({ method: "notifications/message", params: { level: "info", data: "busy" } });
    talk.clock.advance(CALL_MS);
    await settled();
    expect(call.outcome).toContain("did not answer");
    expect(talk.connection.probing).toBeUndefined();
    expect(talk.methods()).toEqual(["tools/call"]);
  });

  test("and only sends log messages is never abandoned", async () => {
    const talk = await talking({ modern });
    for (let round = 0; round < 5; round += 1) {
      talk.call();
      talk.channel.say({ method: "notifications/message", params: { level: "info", data: "busy" } });
      talk.clock.advance(CALL_MS + PROBE_MS);
    }
    expect(await isOver(talk)).toBe(false);
  });

  test("fails the other calls when it is abandoned, and resends none of them", async () => {
    const talk = await talking({ modern });
    const other = talk.call({ timeoutMs: 60_000, repeatable: true });
    await talk.letTimeOut();
    const late = talk.call({ timeoutMs: 60_000, repeatable: true }); // while it is probed
    talk.clock.advance(PROBE_MS);
    await settled();
    expect(other.outcome).toContain('"s" stopped responding');
    expect(late.outcome).toContain('"s" stopped responding');
    expect(talk.methods()).toEqual(["tools/call", "tools/call", probe, "tools/call"]);
  });

  test("is kept while another call makes progress, and probed again when that one ends", async () => {
    const talk = await talking({ modern });
    const busy = talk.call({ timeoutMs: 60_000, onProgress: () => {} });
    talk.channel.say(progress(1, 1));
    await talk.letTimeOut();
    talk.clock.advance(PROBE_MS);
    expect(await isOver(talk)).toBe(false);
    talk.channel.say(progress(1, 2));
    talk.clock.advance(PROBE_MS);
    expect(await isOver(talk)).toBe(false);
    talk.channel.say({ id: 1, result: {} });
    await settled();
    expect(busy.outcome).toBe("answered");
    expect(talk.methods().filter((method) => method === probe)).toHaveLength(2);
    talk.clock.advance(PROBE_MS);
    expect(await isOver(talk)).toBe(true);
  });

  test("is kept when it answers the second probe", async () => {
    const talk = await talking({ modern });
    talk.call({ timeoutMs: 60_000, onProgress: () => {} });
    talk.channel.say(progress(1, 1));
    await talk.letTimeOut();
    talk.clock.advance(PROBE_MS);
    await settled();
    talk.channel.say({ id: 1, result: {} });
    await settled();
    talk.channel.say({ id: talk.idOf(probe), result: {} });
    talk.clock.advance(60_000);
    expect(await isOver(talk)).toBe(false);
  });

  test("is abandoned when the call that made progress also times out", async () => {
    const talk = await talking({ modern });
    const busy = talk.call({ timeoutMs: 20_000, onProgress: () => {} });
    talk.channel.say(progress(1, 1));
    await talk.letTimeOut();
    talk.clock.advance(20_000);
    await settled();
    expect(busy.outcome).toContain("did not answer within 20000 ms");
    talk.clock.advance(PROBE_MS);
    expect(await isOver(talk)).toBe(true);
  });

  test("is probed once, however many calls time out together", async () => {
    const talk = await talking({ modern });
    for (let count = 0; count < 5; count += 1) talk.call();
    talk.clock.advance(CALL_MS);
    await settled();
    expect(talk.methods().filter((method) => method === probe)).toHaveLength(1);
  });

  test("and is closed during the probe is reported as closed", async () => {
    const talk = await talking({ modern });
    await talk.letTimeOut();
    await talk.connection.close();
    expect(await talk.connection.ended).toEqual({
      expected: true,
      message: 'the connection to "s" was closed',
    });
    expect(talk.connection.probing).toBeUndefined();
  });

  test("and ends during the probe is reported as lost", async () => {
    const talk = await talking({ modern });
    await talk.letTimeOut();
    talk.channel.end();
    expect(await talk.connection.ended).toEqual({
      expected: false,
      message: 'the connection to "s" was lost',
    });
  });
});

test.each([401, 404, 500, 503])("HTTP %i counts as a response to the probe", async (status) => {
  const talk = await talking({ perRequest: true });
  await talk.letTimeOut();
  talk.channel.drop(status);
  expect(await talk.connection.probing).toBe(true);
  talk.clock.advance(60_000);
  expect(await isOver(talk)).toBe(false);
});

describe("a caller that stops waiting", () => {
  const call = (talk: Talk, signal: AbortSignal): Promise<unknown> =>
    talk.connection.request("tools/call", {}, { timeoutMs: CALL_MS, signal }).catch(() => "stopped");

  test("with AbortSignal.timeout() starts a probe like any other timeout", async () => {
    const talk = await talking();
    await call(talk, AbortSignal.timeout(1));
    expect(talk.methods()).toEqual(["tools/call", "ping"]);
  });

  test("does not start one while the server waits for an answer", async () => {
    const talk = await talking({ answers: () => new Promise(() => {}) });
    talk.channel.say({ id: "q", method: "elicitation/create", params: {} });
    await call(talk, AbortSignal.timeout(1));
    expect(talk.connection.probing).toBeUndefined();
    expect(talk.methods()).toEqual(["tools/call"]);
  });

  test("for another reason does not start one", async () => {
    const talk = await talking();
    const stop = new AbortController();
    const stopped = call(talk, stop.signal);
    stop.abort();
    await stopped;
    expect(talk.methods()).toEqual(["tools/call"]);
  });
});
