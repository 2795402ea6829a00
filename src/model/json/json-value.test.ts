import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, isList, itemsOf, sameJson } from "./json-value.ts";

/** The same value with the keys of every object in another order. */
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
])("%j is written as one text", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test("the order of keys makes no difference", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

test("the text says the same as the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test.each([
  ["a number too large to hold and nothing", Number.POSITIVE_INFINITY, null],
  ["a number and its text", 1, "1"],
  ["a list and its only item", ["a"], "a"],
  ["the order of a list", ["a", "b"], ["b", "a"]],
])("%s are told apart", (_, left, right) => {
  expect(canonicalJson({ value: left })).not.toBe(canonicalJson({ value: right }));
});

test.each([
  ["a list", [1], true, [1]],
  ["an empty list", [], true, []],
  ["an object with a length", { length: 0 }, false, []],
  ["a text", "ab", false, []],
  ["null", null, false, []],
  ["nothing", undefined, false, []],
])("whether %s is a list", (_, value, expected, items) => {
  expect(isList(value)).toBe(expected);
  expect(itemsOf(value)).toEqual(items);
});

test.each<[string, unknown, unknown, boolean]>([
  ["the same keys in another order", { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ["a missing key", { a: 1, b: 2 }, { a: 1 }, false],
  ["another key of the same number", { a: 1 }, { b: 1 }, false],
  ["a list in another order", [1, 2], [2, 1], false],
  ["a longer list", [1], [1, 2], false],
  ["a list and an object", [], {}, false],
  ["a number and its text", 1, "1", false],
])("comparing %s", (_, left, right, expected) => {
  expect(sameJson(left, right)).toBe(expected);
  expect(sameJson(right, left)).toBe(expected);
});
