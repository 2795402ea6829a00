import { expect, test } from "vitest";
import { isAnswerTo, isMessageId, isUnaddressedError, messagesIn, shortValue } from "./message.ts";

test.each([
  ["a request", { jsonrpc: "2.0", id: 1, method: "ping" }, 1],
  ["a batch with noise in it", [{ jsonrpc: "2.0", id: 1, result: {} }, 7, "text"], 1],
  ["an answer that forgets the version", { id: 1, result: {} }, 1],
  ["a notification that forgets the version", { method: "notifications/message", params: {} }, 1],
  ["another version", { jsonrpc: "1.0", id: 1, result: {} }, 0],
  ["a line of a log", { level: "info", id: 1, message: "started" }, 0],
  ["nothing", null, 0],
])("%s is split into its messages", (_, value, count) => {
  const { messages, noise } = messagesIn(value);
  expect(messages).toHaveLength(count);
  expect(noise).toBe((Array.isArray(value) ? value.length : 1) - count);
});

test("at most a hundred requests of a batch are read, and all responses and notifications", () => {
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
])("%s has a short form in an error message", (_, value, shown) => {
  expect(shortValue(value)).toBe(shown);
});

test.each([
  ["the same number", 1, { id: 1, result: {} }, true],
  ["the number as text", 1, { id: "1", result: {} }, true],
  ["the same text", "a", { id: "a", result: {} }, true],
  ["another number", 1, { id: 2, result: {} }, false],
  ["another text", "a", { id: "b", result: {} }, false],
  ["a list that contains the number", 1, { id: [1], result: {} }, false],
  ["no id", 1, { result: {} }, false],
  ["the id of a request of its own", 1, { id: 1, method: "ping" }, false],
])("a message with %s is the response to a request: %s, %o, %s", (_, id, message, expected) => {
  expect(isAnswerTo(id, { jsonrpc: "2.0", ...message })).toBe(expected);
});

test("an ID is a number or a string of up to 1,024 characters", () => {
  expect([0, -1, "", "x".repeat(1_024)].filter((value) => !isMessageId(value))).toEqual([]);
  expect(["x".repeat(1_025), null, undefined, {}, true].filter((value) => isMessageId(value))).toEqual([]);
});

test.each([
  ["without an id", { error: { code: 1 } }, true],
  ["with the id null", { id: null, error: { code: 1 } }, true],
  ["with an id", { id: 0, error: { code: 1 } }, false],
  ["that is text", { error: "no" }, false],
  ["of a message that is a notification", { method: "a", error: {} }, false],
])("an error %s has no request ID: %o, %s", (_, message, expected) => {
  expect(isUnaddressedError({ jsonrpc: "2.0", ...message })).toBe(expected);
});
