import { expect, test } from "vitest";
import { mayMatch } from "./may-match.ts";

test.each([
  ["note://{id}", "note://a", true],
  ["note://{id}", "file://a", false],
  ["note://{id}/end", "note://a/end", true],
  ["note://{id}/end", "note://a/other", false],
  ["{+path*}/{?a,b}", "a/b", true],
  ["a{b", "a{b", true],
  ["a{b", "ab", false],
  ["x{a}{b", "xy{b", true],
  ["", "", true],
])("the template %j may match %j: %j", (template, uri, may) => {
  expect(mayMatch(template, uri)).toBe(may);
});

test("a template with many { is compared in linear time", () => {
  const template = "{".repeat(400_000);
  expect(mayMatch(template, "x")).toBe(false);
  expect(mayMatch(template, template)).toBe(true);
});
