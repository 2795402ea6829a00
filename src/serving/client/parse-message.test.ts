import { expect, test } from "vitest";
import { toClientMessage } from "./client-messages.ts";
import { parseMessage } from "./parse-message.ts";

test.each([
  ["arrays", JSON.stringify(Array.from({ length: 300_000 }, () => [1]))],
  ["objects", JSON.stringify(Array.from({ length: 150_000 }, (_, at) => ({ [`k${at}`]: at })))],
])("a long message of %s is parsed in slices", async (_, text) => {
  let turns = 0;
  let timer = setImmediate(function turn() {
    turns += 1;
    timer = setImmediate(turn);
  });
  const value = await parseMessage(text);
  clearImmediate(timer);
  expect(JSON.stringify(value)).toBe(text);
  expect(turns).toBeGreaterThan(10);
});

test.each([
  ["invalid JSON", `${" ".repeat(100_000)}{`, "The message is not valid JSON."],
  ["too many values", `[${"1,".repeat(1_100_000)}1]`, "The message contains too many values."],
])("a long message with %s is refused", async (_, text, message) => {
  await expect(parseMessage(text)).rejects.toThrow(message);
});

test("a message with a huge object is refused, because its members cannot all be checked", async () => {
  let deep: object = {};
  for (let level = 0; level < 1_000; level += 1) deep = { deep };
  const members = Array.from({ length: 30_000 }, (_, at) => [`k${at}`, at]);
  const params = { ...Object.fromEntries(members), deep };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params });
  const parsed = await parseMessage(text);
  expect(() => toClientMessage(parsed)).toThrow("too many members");
});
