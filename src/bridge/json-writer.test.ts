import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../model/index.ts";
import { JsonWriter, type JsonWriterOptions } from "./json-writer.ts";

const write = (value: JsonValue, options: Partial<JsonWriterOptions> = {}, step = 1_000): string => {
  const writer = new JsonWriter(value, { most: 1_000_000, replace: (_, text) => text, ...options });
  while (!writer.run(step));
  return writer.text;
};
const nested = (depth: number): JsonValue => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as JsonValue;

test.each([undefined, 2])("the output equals that of JSON.stringify (indent %s)", (indent) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 5 }), (value, step) => {
      expect(write(value as JsonValue, { indent }, step)).toBe(JSON.stringify(value, undefined, indent));
    }),
  );
});

test("strings are replaced by their key or index", () => {
  const replace = (key: string, text: string): string => `${key}=${text}`;
  expect(write({ a: "x", b: ["y", { c: "z" }] }, { replace })).toBe('{"a":"a=x","b":["0=y",{"c":"c=z"}]}');
  expect(write("x", { replace })).toBe('"=x"');
});

test("a long text is truncated, and the rest is not read", () => {
  const seen: string[] = [];
  const value = Array.from({ length: 1_000 }, (_, index) => String(index));
  const text = write(value, {
    most: 50,
    replace(_, item) {
      seen.push(item);
      return item;
    },
  });
  expect(text).toMatch(/^\["0","1",.{30,60}…$/);
  expect(seen.length).toBeLessThan(20);
});

test("a value that is nested too deeply is rejected", () => {
  expect(write(nested(1_000))).toHaveLength(2_000);
  expect(() => write(nested(1_002))).toThrow(RangeError);
});

test("deep nesting does not produce megabytes of spaces", () => {
  expect(write(nested(1_000), { indent: 2 }).length).toBeLessThan(150_000);
});

test("a long string is written in pieces, and no character is cut in half", () => {
  const text = `x${"😀\n".repeat(100_000)}`;
  expect(write([text, text], { most: 10_000_000 })).toBe(JSON.stringify([text, text]));
  const writer = new JsonWriter("\ud800".repeat(1_000_000), {
    most: 10_000_000,
    replace: (_, whole) => whole,
  });
  expect(writer.run(1)).toBe(false);
  expect(writer.text.length).toBeLessThan(300_000);
});

test("a long string is truncated after its escapes", () => {
  const text = write(["\ud800".repeat(1_000_000), "after"], { most: 1_000_000 });
  expect(text.length).toBeLessThan(1_300_000);
  expect(text).toMatch(/\\ud800…$/);
});
