import { expect, test } from "vitest";
import { BodyBudget } from "./body-budget.ts";

const MB = 1024 * 1024;

test("long bodies of one person, and of all people, use a limited amount of memory until they are released", () => {
  const budget = new BodyBudget();
  const ofAda = Array.from({ length: 8 }, () => budget.take("ada", 4 * MB));
  expect(ofAda).not.toContain(undefined);
  expect(budget.take("ada", 4 * MB)).toBeUndefined();
  for (let at = 0; at < 8; at += 1) expect(budget.take("grace", 4 * MB)).toBeDefined();
  expect(budget.take("joan", 1 * MB)).toBeUndefined();
  ofAda[0]?.release();
  ofAda[0]?.release();
  expect(budget.take("joan", 4 * MB)).toBeDefined();
  expect(budget.take("joan", 1 * MB)).toBeUndefined();
});

test("short bodies are always read, and a body of unknown size releases the memory that it does not need", () => {
  const budget = new BodyBudget();
  for (let at = 0; at < 100; at += 1) budget.take("ada", 4 * MB)?.shrink(1_000);
  const long = Array.from({ length: 8 }, () => budget.take("ada", 4 * MB));
  expect(long).not.toContain(undefined);
  expect(budget.take("ada", 60_000)).toBeDefined();
  long[0]?.shrink(3 * MB);
  expect(budget.take("ada", 2 * MB)).toBeUndefined();
  expect(budget.take("ada", 1 * MB)).toBeDefined();
});
