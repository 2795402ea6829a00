import { expect, test } from "vitest";
import { cacheNote } from "./tool-list.ts";

const MINUTE = 60_000;
const NOW = 1_000 * 24 * 60 * MINUTE;

test.each([
  [0, "read less than a minute ago"],
  [MINUTE, "read 1 minute ago"],
  [59 * MINUTE, "read 59 minutes ago"],
  [60 * MINUTE, "read 1 hour ago"],
  [47 * 60 * MINUTE, "read 47 hours ago"],
  [72 * 60 * MINUTE, "read 3 days ago"],
  [-MINUTE, "read less than a minute ago"],
])("a cached list of %d ms shows its age: %s", (age, said) => {
  const tools = [{ stale: false, cachedAt: NOW - age }];
  expect(cacheNote(tools, NOW)).toBe(` (cached, ${said}; --refresh queries the server)`);
});

test("an expired cached list is marked; a list from the server has no note", () => {
  expect(cacheNote([{ stale: true, cachedAt: NOW - MINUTE }], NOW)).toContain("read 1 minute ago, expired;");
  expect(cacheNote([{ stale: false }], NOW)).toBe("");
});
