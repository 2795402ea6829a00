import { expect, test } from "vitest";
import { retryAfterMs } from "./exchange.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Wed, 31 Dec 2025 23:59:59 GMT", 0],
  ["soon", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["99999999999999999999", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After: %s", (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
