import { expect, test } from "vitest";
import { Inbox } from "./inbox.ts";
import type { Message } from "./message.ts";

const NOTICE = '{"jsonrpc":"2.0","method":"n"}';

function collecting(): { inbox: Inbox; received: Message[]; noise: string[]; tooComplex: string[] } {
  const received: Message[] = [];
  const noise: string[] = [];
  const tooComplex: string[] = [];
  const inbox = new Inbox({
    receive: (message) => received.push(message),
    onNoise: (text) => noise.push(text),
    onTooComplex: (text) => tooComplex.push(text),
  });
  return { inbox, received, noise, tooComplex };
}

test("a short text is handled immediately", () => {
  const { inbox, received } = collecting();
  inbox.accept(NOTICE);
  expect([received.length, inbox.busy]).toEqual([1, undefined]);
});

test("a long batch is handled in slices and yields to other work", async () => {
  const { inbox, received } = collecting();
  const seenByOthers: number[] = [];
  const look = (): void => {
    seenByOthers.push(received.length);
    if (inbox.busy !== undefined) setImmediate(look);
  };
  inbox.accept(`[${Array.from({ length: 20_000 }, () => NOTICE).join(",")}]`);
  setImmediate(look);
  await inbox.busy;
  expect(received).toHaveLength(20_000);
  const steps = seenByOthers.map((count, index) => count - (seenByOthers[index - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(500);
});

test("texts after a long text wait for it, and all are handled in order", async () => {
  const { inbox, received } = collecting();
  const numbered = (id: number, fill = ""): string =>
    JSON.stringify({ jsonrpc: "2.0", id, result: { fill } });
  inbox.accept(numbered(1));
  inbox.accept(numbered(2, "x".repeat(300_000)));
  for (let id = 3; id < 100; id += 1) inbox.accept(numbered(id));
  expect(received).toHaveLength(1);
  await inbox.busy;
  expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));
  expect(inbox.busy).toBeUndefined();
});

test("many short texts are handled in several turns too", async () => {
  const { inbox, received } = collecting();
  const text = JSON.stringify({ jsonrpc: "2.0", method: "n", params: { fill: "x".repeat(10_000) } });
  for (let count = 0; count < 200; count += 1) inbox.accept(text);
  expect(received.length).toBeLessThan(30);
  await inbox.busy;
  expect(received).toHaveLength(200);
});

test("invalid messages are reported, long or short, and later ones are read", async () => {
  const { inbox, received, noise, tooComplex } = collecting();
  const long = "x".repeat(300_000);
  const complex = `[${"[],".repeat(1_000_001)}[]]`;
  for (const text of ["{", long, complex, NOTICE]) inbox.accept(text);
  await inbox.busy;
  expect(noise).toEqual(["{", long]);
  expect(tooComplex).toEqual([complex]);
  expect(received).toHaveLength(1);
});

test("many lines of one character are handled in several turns", async () => {
  const { inbox, noise } = collecting();
  for (let count = 0; count < 10_000; count += 1) inbox.accept("x");
  expect(noise.length).toBeLessThan(1_000);
  await inbox.busy;
  expect(noise).toHaveLength(10_000);
});

test.each([
  ["a message", NOTICE],
  ["a long message", `{"jsonrpc":"2.0","method":"n","params":{"a":"${"x".repeat(300_000)}"}}`],
  ["a text that is not JSON", "x"],
  ["a long text that is not JSON", "x".repeat(300_000)],
  ["a batch with parts that are not messages", `[1,${NOTICE}]`],
  ["too many requests", `[${Array.from({ length: 101 }, () => '{"id":1,"method":"m"}').join(",")}]`],
  ["too many values", `[${"1,".repeat(1_000_001)}1]`],
])("a handler that throws at %s is reported, and the next message is read", async (_, text) => {
  const failed: unknown[] = [];
  let isBroken = true;
  const received: Message[] = [];
  const fail = (): void => {
    if (isBroken) throw new Error("broken");
  };
  const inbox = new Inbox({
    receive(message) {
      fail();
      received.push(message);
    },
    onNoise: fail,
    onDropped: fail,
    onTooComplex: fail,
    onError(error) {
      failed.push(error);
      throw error; // a log may also fail
    },
  });
  inbox.accept(text);
  await inbox.busy;
  expect(failed).toContainEqual(new Error("broken"));
  isBroken = false;
  inbox.accept('{"jsonrpc":"2.0","method":"next"}');
  await inbox.busy;
  expect(received).toEqual([{ jsonrpc: "2.0", method: "next" }]);
});

test.each([
  ["text that is not JSON", "x"],
  ["long text that is not JSON", "x".repeat(300_000)],
  ["parts that are not messages", "[1]"],
  ["too many requests", `[${Array.from({ length: 101 }, () => '{"id":1,"method":"m"}').join(",")}]`],
  ["too many values", `[${"1,".repeat(1_000_001)}1]`],
])("an inbox without callbacks ignores %s", async (_, text) => {
  const received: Message[] = [];
  const failed: unknown[] = [];
  const inbox = new Inbox({
    receive: (message) => received.push(message),
    onError: (error) => failed.push(error),
  });
  inbox.accept(text);
  await inbox.busy;
  inbox.accept('{"jsonrpc":"2.0","method":"next"}');
  await inbox.busy;
  expect(received.at(-1)).toEqual({ jsonrpc: "2.0", method: "next" });
  expect(failed).toEqual([]);
});

test("an inbox without onError survives a handler that throws", async () => {
  const inbox = new Inbox({
    receive() {
      throw new Error("broken");
    },
  });
  expect(() => inbox.accept(NOTICE)).not.toThrow();
});

test("noise and dropped requests are reported with their number, and only if there are any", () => {
  const reported: unknown[] = [];
  const inbox = new Inbox({
    receive: () => {},
    onNoise: (text, count) => reported.push(["noise", text, count]),
    onDropped: (count) => reported.push(["dropped", count]),
  });
  const requests = Array.from({ length: 103 }, () => '{"id":1,"method":"m"}').join(",");
  for (const text of [NOTICE, `[${NOTICE}]`, `[1,2,${NOTICE}]`, "x", `[${requests}]`]) inbox.accept(text);
  expect(reported).toEqual([
    ["noise", `[1,2,${NOTICE}]`, 2],
    ["noise", "x", 1],
    ["dropped", 3],
  ]);
});

test.each([
  ["a text of 256 KiB is handled at once", 256 * 1024, 1],
  ["a longer text is handled in a later turn", 256 * 1024 + 1, 0],
])("%s", async (_, length, count) => {
  const { inbox, received } = collecting();
  inbox.accept(NOTICE.padEnd(length));
  expect(received).toHaveLength(count);
  await inbox.busy;
  expect(received).toHaveLength(1);
});

test("short texts are handled immediately until 256 KiB are read, and again in the next turn", async () => {
  const { inbox, received } = collecting();
  for (let count = 0; count < 600; count += 1) inbox.accept(NOTICE);
  expect(received).toHaveLength(512); // each counts as 512 characters
  await inbox.busy;
  expect(received).toHaveLength(600);
  inbox.accept(NOTICE);
  expect(received).toHaveLength(601);
});
