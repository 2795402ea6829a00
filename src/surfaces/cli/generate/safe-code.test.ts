import { expect, test, vi } from "vitest";
import { comment, literal, propertyName } from "./safe-code.ts";

test.each([
  ["plain", "/** plain */\n"],
  ["", ""],
  [undefined, ""],
  ["*/ export const x = 1; /*", "/** *\\/ export const x = 1; /* */\n"],
  ["**//", "/** **\\// */\n"],
  ["/", "/** / */\n"],
  ["two\nlines", "/** two ⏎ lines */\n"],
  ["a\u2028b\u2029c\rd", "/** a\\u{2028}b\\u{2029}c\\x0dd */\n"],
  ["@ts-ignore", "/** \\@ts-ignore */\n"],
  ["see {@link x} @deprecated a@b.c", "/** see {\\@link x} \\@deprecated a@b.c */\n"],
  ["x".repeat(400), `/** ${"x".repeat(299)}… */\n`],
])("%j becomes a safe comment", (text, expected) => {
  expect(comment(text)).toBe(expected);
});

test("only the beginning of a long comment is cleaned", () => {
  const text = "\u202e".repeat(100_000);
  const replace = vi.spyOn(String.prototype, "replace");
  comment(text);
  const longest = replace.mock.contexts.map((context) => String(context).length);
  replace.mockRestore();
  expect(Math.max(...longest)).toBeLessThan(10_000);
});

test.each([
  '"; alert(1); "',
  "\\",
  "`${x}`",
  "a\nb",
  "\u2028\u2029",
  "\u202e\ud800\u{e0041}",
  "*/",
  "__proto__",
])("the literal of %j has that value and only visible characters", (text) => {
  expect(JSON.parse(literal(text))).toBe(text);
  expect(literal(text)).toMatch(/^[\x20-\x7e]+$/);
});

test.each([
  ["read_file", "read_file"],
  ["$x1", "$x1"],
  ["new", "new"],
  ["get-sum", '"get-sum"'],
  ["1a", '"1a"'],
  ["é", '"é"'],
  ["a b", '"a b"'],
  ["", '""'],
  ["a\n", '"a\\n"'],
])("%j becomes a valid property name", (name, expected) => {
  expect(propertyName(name)).toBe(expected);
});
