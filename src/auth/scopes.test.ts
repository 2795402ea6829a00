import { expect, test } from "vitest";
import { isScopeCovered, scopeUnion } from "./scopes.ts";

test.each<[readonly (string | undefined)[], string | undefined]>([
  [[], undefined],
  [[undefined], undefined],
  [["", "  "], undefined],
  [["a b"], "a b"],
  [["a b", undefined, "b c"], "a b c"],
  [["  b \t a ", "a"], "b a"],
])("the union of %j is %j", (scopes, expected) => {
  expect(scopeUnion(...scopes)).toBe(expected);
});

test.each<[string | undefined, string | undefined, boolean]>([
  ["a", "a b", true],
  ["b a", "a b", true],
  ["a c", "a b", false],
  ["c", undefined, false],
  [undefined, "a", true],
  ["", undefined, true],
  ["ab", "a b", false],
])("%j is within %j: %s", (inner, outer, expected) => {
  expect(isScopeCovered(inner, outer)).toBe(expected);
});
