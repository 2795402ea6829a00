import { expect, test } from "vitest";
import type { JsonObject } from "../model/index.ts";
import { createClientPipe, type GatewayLink } from "./client-pipe.ts";

/** A gateway that records what it gets. */
class Gateway implements GatewayLink {
  readonly got: JsonObject[] = [];
  readonly ended: Promise<void>;
  #listener: (line: string) => void = () => {};
  #end: () => void = () => {};
  readonly #answers: (message: JsonObject) => JsonObject | undefined;

  constructor(answers: (message: JsonObject) => JsonObject | undefined = () => undefined) {
    this.#answers = answers;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  send(line: string): void {
    const message = JSON.parse(line) as JsonObject;
    this.got.push(message);
    const answer = this.#answers(message);
    if (answer !== undefined && message["id"] !== undefined)
      this.say({ id: message["id"] ?? null, ...answer });
  }

  onLine(listener: (line: string) => void): void {
    this.#listener = listener;
  }

  say(message: JsonObject): void {
    this.#listener(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  close(): void {
    this.#end();
  }

  methods(): unknown[] {
    return this.got.map(({ method }) => method);
  }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

/** A pipe whose gateways are taken from a list, in order. */
async function pipeWith(...gateways: Gateway[]) {
  const written: JsonObject[] = [];
  const reasons: (string | undefined)[] = [];
  const pipe = createClientPipe({
    write: (line) => void written.push(JSON.parse(line) as JsonObject),
    async connect(reason) {
      reasons.push(reason);
      const next = gateways.shift();
      if (next === undefined) throw new Error("no gateway");
      return next;
    },
  });
  await turns();
  const say = (message: JsonObject): void => pipe.receive(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return { pipe, say, written, reasons };
}

const greeting = {
  result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "g", version: "1" } },
};
const answering = (): Gateway =>
  new Gateway(({ method }) =>
    method === "initialize" ? greeting : method === "tools/call" ? undefined : { result: {} },
  );

async function initialized(...gateways: Gateway[]) {
  const piped = await pipeWith(...gateways);
  piped.say({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: { roots: {} } },
  });
  piped.say({ method: "notifications/initialized" });
  await turns();
  piped.written.length = 0;
  return piped;
}

test("messages pass unchanged in both directions", async () => {
  const gateway = new Gateway();
  const { say, written } = await pipeWith(gateway);
  say({ id: "a", method: "tools/list", params: { x: [1] } });
  gateway.say({ id: "a", result: { tools: [] } });
  gateway.say({ method: "notifications/tools/list_changed" });
  expect(gateway.got).toEqual([{ jsonrpc: "2.0", id: "a", method: "tools/list", params: { x: [1] } }]);
  expect(written).toEqual([
    { jsonrpc: "2.0", id: "a", result: { tools: [] } },
    { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
  ]);
});

test("the next gateway receives the handshake, the log level and the subscriptions, and the client does not notice", async () => {
  const [first, second] = [answering(), answering()];
  const { say, written, reasons } = await initialized(first, second);
  say({ id: 1, method: "logging/setLevel", params: { level: "debug" } });
  say({ id: 2, method: "resources/subscribe", params: { uri: "a:b" } });
  say({ id: 3, method: "resources/subscribe", params: { uri: "a:c" } });
  say({ id: 4, method: "resources/unsubscribe", params: { uri: "a:b" } });
  await turns();
  written.length = 0;
  first.close();
  await turns();
  expect(reasons).toEqual([undefined, "lost"]);
  expect(second.got).toMatchObject([
    { method: "initialize", params: { capabilities: { roots: {} } } },
    { method: "notifications/initialized" },
    { method: "logging/setLevel", params: { level: "debug" } },
    { method: "resources/subscribe", params: { uri: "a:c" } },
  ]);
  expect(written.map(({ method }) => method)).toEqual(
    ["tools", "prompts", "resources"].map((kind) => `notifications/${kind}/list_changed`),
  );
});

test("open requests that change nothing are sent again, and calls fail as interrupted", async () => {
  const [first, second] = [new Gateway(), new Gateway()];
  const { say, written } = await pipeWith(first, second);
  say({ id: 1, method: "resources/read", params: { uri: "a:b" } });
  say({ id: 2, method: "tools/call", params: { name: "x" } });
  first.close();
  await turns();
  expect(second.got).toMatchObject([{ id: 1, method: "resources/read" }]);
  expect(written).toMatchObject([{ id: 2, error: { code: -32603, data: { reason: "interrupted" } } }]);
  second.say({ id: 1, result: {} });
  expect(written.at(-1)).toMatchObject({ id: 1, result: {} });
});

test("a call that the gateway marked as repeatable is sent again once", async () => {
  const gateways = [new Gateway(), new Gateway(), new Gateway()];
  const [first, second, third] = gateways;
  const { say, written } = await pipeWith(...gateways);
  say({ id: 7, method: "tools/call", params: { name: "x" } });
  first?.say({ method: "plugboard/repeatable", params: { requestId: 7 } });
  expect(written).toEqual([]);
  first?.close();
  await turns();
  expect(second?.methods()).toEqual(["tools/call"]);
  second?.close();
  await turns();
  expect(third?.got).toEqual([]);
  expect(written).toMatchObject([{ id: 7, error: { data: { reason: "interrupted" } } }]);
});

test("a cancelled call is neither repeated nor answered", async () => {
  const [first, second] = [new Gateway(), new Gateway()];
  const { say, written } = await pipeWith(first, second);
  say({ id: 1, method: "tools/call", params: {} });
  say({ method: "notifications/cancelled", params: { requestId: 1 } });
  first.close();
  await turns();
  expect(second.got).toEqual([]);
  expect(written).toEqual([]);
});

test("answers for a gateway that has exited are dropped", async () => {
  const [first, second] = [new Gateway(), new Gateway()];
  const { say, written } = await pipeWith(first, second);
  first.say({ id: "q1", method: "elicitation/create", params: {} });
  first.close();
  await turns();
  say({ id: "q1", result: { action: "accept" } });
  second.say({ id: "q2", method: "roots/list" });
  say({ id: "q2", result: { roots: [] } });
  expect(second.got).toEqual([{ jsonrpc: "2.0", id: "q2", result: { roots: [] } }]);
  expect(written.map(({ id }) => id)).toEqual(["q1", "q2"]);
});

test("messages wait while no gateway is connected, and arrive once and in order", async () => {
  const [first, second] = [new Gateway(), new Gateway()];
  const { say } = await pipeWith(first, second);
  first.close();
  await Promise.resolve();
  await Promise.resolve();
  say({ id: 1, method: "tools/call", params: {} });
  say({ id: 2, method: "tools/list" });
  await turns();
  say({ id: 3, method: "tools/list" });
  expect(second.got.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test("a gateway that is ending completes what it received, and later messages go to the next one", async () => {
  const [first, second] = [new Gateway(), new Gateway()];
  const { say, written, reasons } = await pipeWith(first, second);
  say({ id: 1, method: "tools/call", params: {} });
  first.say({ method: "plugboard/ending", params: { reason: "stopped" } });
  say({ id: 2, method: "tools/call", params: {} });
  await turns();
  expect(second.got).toEqual([]);
  first.say({ id: 1, result: {} });
  await turns();
  expect(written).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  expect(second.got.map(({ id }) => id)).toEqual([2]);
  expect(reasons).toEqual([undefined, "stopped"]);
});

test("a pipe without any gateway fails", async () => {
  const { pipe } = await pipeWith();
  await expect(pipe.failed).rejects.toThrow("no gateway");
});

test("a pipe holds at most 1,000 messages while it has no gateway", async () => {
  const never = new Promise<GatewayLink>(() => {});
  const written: JsonObject[] = [];
  const pipe = createClientPipe({
    write: (line) => void written.push(JSON.parse(line) as JsonObject),
    connect: () => never,
  });
  for (let id = 0; id <= 1_000; id += 1)
    pipe.receive(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call" }));
  expect(written).toMatchObject([{ id: 1_000, error: { data: { reason: "busy" } } }]);
});
