import { expect, test } from "vitest";
import { messagesIn, shownValue } from "./message.ts";

test.each([
  ["a request", { jsonrpc: "2.0", id: 1, method: "ping" }, 1],
  ["a batch with noise in it", [{ jsonrpc: "2.0", id: 1, result: {} }, 7, "text"], 1],
  ["an answer that forgets the version", { id: 1, result: {} }, 1],
  ["a notification that forgets the version", { method: "notifications/message", params: {} }, 1],
  ["another version", { jsonrpc: "1.0", id: 1, result: {} }, 0],
  ["a line of a log", { level: "info", id: 1, message: "started" }, 0],
  ["nothing", null, 0],
])("%s is taken for as many messages as it holds", (_, value, count) => {
  const { messages, noise } = messagesIn(value);
  expect(messages).toHaveLength(count);
  expect(noise).toBe((Array.isArray(value) ? value.length : 1) - count);
});

test("of a batch a hundred requests are read, and every response and notification", () => {
  const batch = Array.from({ length: 1_000 }, (_, id) => [
    { jsonrpc: "2.0", id, method: "ping" },
    { jsonrpc: "2.0", id, result: {} },
    { jsonrpc: "2.0", method: "notifications/message" },
  ]).flat();
  const { messages, noise, dropped } = messagesIn(batch);
  expect(messages.filter(({ id, method }) => id !== undefined && method !== undefined)).toHaveLength(100);
  expect([messages.length, noise, dropped]).toEqual([2_100, 0, 900]);
});

test.each([
  ["a text", "odd", '"odd"'],
  ["a long text", "x".repeat(1_000), `"${"x".repeat(99)}…"`],
  ["a number", 1, "1"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["a deep list", JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`), "[…]"],
  ["a deep object", JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`), "{…}"],
])("%s is short in an error message", (_, value, shown) => {
  expect(shownValue(value)).toBe(shown);
});
