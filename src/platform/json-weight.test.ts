import { expect, test } from "vitest";
import { countedList } from "../../test/support/counted-list.ts";
import { jsonWeight } from "./json-weight.ts";

const LIMITS = { depth: 10, weight: 1_000 };

test("a value weighs its texts, its keys and a little for each part", () => {
  expect(jsonWeight({ ab: "cde", f: [1, null] }, LIMITS)).toBe(5 * 8 + 3 + 3);
});

test("what is too heavy is not visited to its end", () => {
  const { list, visits } = countedList(1_000_000);
  expect(jsonWeight({ enum: list }, LIMITS)).toBe("heavy");
  expect(visits()).toBeLessThan(200);
});

test("what is nested too deeply is refused before the stack ends", () => {
  let value: unknown = {};
  for (let level = 0; level < 100_000; level += 1) value = [value];
  expect(jsonWeight(value, LIMITS)).toBe("deep");
});
