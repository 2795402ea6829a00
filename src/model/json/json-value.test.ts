import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./json-value.ts";

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
