import { expect, test } from "vitest";
import type { JsonValue } from "../model/index.ts";
import { memberAt } from "./member-at.ts";

const VALUE: JsonValue = { a: { b: 1, n: null }, list: ["x"] };

test.each<[readonly string[], JsonValue | undefined]>([
  [[], VALUE],
  [["a"], { b: 1, n: null }],
  [["a", "b"], 1],
  [["a", "n"], null],
  [["b"], undefined],
  [["a", "b", "c"], undefined],
  [["a", "n", "c"], undefined],
  [["list", "0"], undefined],
  [["toString"], undefined],
  [["a", "constructor"], undefined],
])("the member at %j is %j", (path, expected) => {
  expect(memberAt(VALUE, path)).toEqual(expected);
});

test("undefined has no members", () => {
  expect(memberAt(undefined, ["a"])).toBeUndefined();
});
