import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, isEqualJson, isList, itemsOf } from "./json-value.ts";

/** Returns a copy with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value).reverse()) copy[key] = reversed(item);
  return copy;
}

test.each([
  [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
  [{ a: undefined, b: 2 }, '{"b":2}'],
  [[undefined, 1, "x"], '[null,1,"x"]'],
  [{ "": "", "a b": "\n" }, '{"":"","a b":"\\n"}'],
  [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  [undefined, "null"],
])("%j has one canonical text", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test("the order of keys does not affect the canonical text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

test("the canonical text parses to an equal value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test.each([
  ["infinity and null", Number.POSITIVE_INFINITY, null],
  ["a number and its string", 1, "1"],
  ["an array and its only item", ["a"], "a"],
  ["arrays in different order", ["a", "b"], ["b", "a"]],
])("%s have different texts", (_, left, right) => {
  expect(canonicalJson({ value: left })).not.toBe(canonicalJson({ value: right }));
});

test.each([
  ["an array", [1], true, [1]],
  ["an empty array", [], true, []],
  ["an object with a length", { length: 0 }, false, []],
  ["a string", "ab", false, []],
  ["null", null, false, []],
  ["undefined", undefined, false, []],
])("isList and itemsOf handle %s", (_, value, expected, items) => {
  expect(isList(value)).toBe(expected);
  expect(itemsOf(value)).toEqual(items);
});

test.each<[string, unknown, unknown, boolean]>([
  ["equal keys in different order", { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ["a missing key", { a: 1, b: 2 }, { a: 1 }, false],
  ["different keys with equal values", { a: 1 }, { b: 1 }, false],
  ["arrays in different order", [1, 2], [2, 1], false],
  ["arrays of different length", [1], [1, 2], false],
  ["an array and an object", [], {}, false],
  ["a number and its string", 1, "1", false],
])("values are compared: %s", (_, left, right, expected) => {
  expect(isEqualJson(left, right)).toBe(expected);
  expect(isEqualJson(right, left)).toBe(expected);
});
