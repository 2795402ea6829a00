import { expect, test } from "vitest";
import { countedList } from "../../test/support/counted-list.ts";
import { jsonWeight } from "./json-weight.ts";

const LIMITS = { depth: 10, weight: 1_000 };

test("the weight of a value includes its strings, its keys and a constant per value", () => {
  expect(jsonWeight({ ab: "cde", f: [1, null] }, LIMITS)).toBe(5 * 8 + 3 + 3);
});

test("a value that is too heavy is not visited completely", () => {
  const { list, visits } = countedList(1_000_000);
  expect(jsonWeight({ enum: list }, LIMITS)).toBe("heavy");
  expect(visits()).toBeLessThan(200);
});

test("a value that is nested too deeply is rejected before the stack overflows", () => {
  let value: unknown = {};
  for (let level = 0; level < 100_000; level += 1) value = [value];
  expect(jsonWeight(value, LIMITS)).toBe("deep");
});
