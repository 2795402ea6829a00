import { expect, test } from "vitest";
import { createListBudget } from "./list-budget.ts";

test("all pages of a list together may take five times as long as one", () => {
  let now = 1_000;
  const next = createListBudget(() => now, 100);
  const limits: (number | undefined)[] = [];
  for (let page = 0; page < 8; page += 1) {
    limits.push(next());
    now += 90;
  }
  expect(limits).toEqual([100, 100, 100, 100, 100, 50, undefined, undefined]);
});

test("a list without a time limit has no limit for all its pages", () => {
  let now = 0;
  const next = createListBudget(() => now, Number.POSITIVE_INFINITY);
  now = 1e12;
  expect(next()).toBe(Number.POSITIVE_INFINITY);
});
