import { expect, test, vi } from "vitest";
import type { JsonValue } from "../../model/index.ts";
import { containsStructured } from "./contains-structured.ts";

const members = (count: number): JsonValue =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

test.each([
  ["as its JSON", '{ "b": [1, 2], "a": "x" }', true],
  ["value by value", "x: 1, 2", true],
  ["in part", "x: 1", false],
  ["in other numbers", "x: 10, 2", false],
])("a text may contain structured content %s", (_, text, expected) => {
  expect(containsStructured(["first", text], { a: "x", b: [1, 2] })).toBe(expected);
});

test.each([
  ["JSON", "{}"],
  ["words", "x"],
])("comparing thousands of texts in %s with thousands of values is limited", (_, text) => {
  const texts = Array.from({ length: 20_000 }, () => text);
  expect(containsStructured(texts, members(20_000))).toBe(false);
});

test("a repetition is recognized after many other texts", () => {
  const texts = [...Array.from({ length: 5_000 }, () => "{}"), JSON.stringify(members(1_000))];
  expect(containsStructured(texts, members(1_000))).toBe(true);
});

test.each([
  ["shorter than it", "x"],
  ["long, but different", "x".repeat(2_000_000)],
])("a long text is not escaped before the comparison with a text that is %s", (_, text) => {
  const long = "\ud800".repeat(2_000_000);
  const stringify = vi.spyOn(JSON, "stringify");
  try {
    expect(containsStructured([text], { long })).toBe(false);
    expect(stringify.mock.calls.filter(([value]) => value === long)).toEqual([]);
  } finally {
    stringify.mockRestore();
  }
});

test("a text that JSON escapes is recognized", () => {
  expect(containsStructured(['say \\"hi\\"'], { a: 'say "hi"' })).toBe(true);
});
