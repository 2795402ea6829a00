import { expect, test } from "vitest";
import { messagesIn } from "./message.ts";

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
