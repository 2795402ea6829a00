import { expect, test } from "vitest";
import { isSameOrigin } from "./same-origin.ts";

test.each([
  ["https://a.test/x", "https://a.test/y", true],
  ["https://a.test", "https://a.test:443/", true],
  ["https://a.test", "http://a.test", false],
  ["https://a.test", "https://a.test:444", false],
  ["https://a.test", "https://b.test", false],
  ["http://a.test", "blob:http://a.test/x", false],
  ["blob:http://a.test/x", "blob:http://a.test/x", false],
  ["file:///a", "file:///a", false],
  ["data:,a", "data:,a", false],
  ["ws://a.test", "ws://a.test", false],
])("%s and %s have the same origin: %s", (one, other, expected) => {
  expect(isSameOrigin(new URL(one), new URL(other))).toBe(expected);
  expect(isSameOrigin(new URL(other), new URL(one))).toBe(expected);
});
