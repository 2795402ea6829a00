import { expect, test } from "vitest";
import { loadPatterns } from "./patterns.ts";

const MOST_STEPS = 1_000_000;
const patterns = await loadPatterns();

function attempt(pattern: string, text = ""): { readonly fits: boolean | undefined; readonly cost: number } {
  const budget = { steps: MOST_STEPS };
  const fits = patterns.test(pattern, text, budget);
  return { fits, cost: MOST_STEPS - budget.steps };
}

test.each([
  ["it ignores case, for which the engine visits every character of a range", "(?i)[B-\\x{1e900}]"],
  ["a part of it ignores case", "a(?i:b)"],
  ["it has other flags", "(?s-m)a"],
  ["nested repetitions make it large", "((a{10}){10}){60}"],
  ["a quoted parenthesis hides what is repeated", `(${"a".repeat(100)}\\Q(\\E){100}`],
  ["a parenthesis in a class hides what is repeated", `(${"a".repeat(100)}[[:alpha:](]){100}`],
  ["an escaped parenthesis hides what is repeated", `(${"a".repeat(100)}\\(){100}`],
  ["repetitions of a long group make it large", `(${"a".repeat(100)}){100}`],
])("a pattern is left to the server, at no cost, if %s", (_, pattern) => {
  expect(attempt(pattern)).toEqual({ fits: undefined, cost: 0 });
});

test.each([
  ["classes of Unicode", "\\pL".repeat(100), 50_000],
  ["such classes in brackets", "[^\\p{Lu}\\P{N}]".repeat(50), 50_000],
  ["nested repetitions", "((a{10}){10}){9}", 9_000],
  ["repetitions of a group", `(?:${"a".repeat(50)}|b){20}`, 10_000],
])("the cost of a pattern includes %s", (_, pattern, least) => {
  expect(attempt(pattern).cost).toBeGreaterThanOrEqual(least);
});

test.each([
  ["^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "host-1", true],
  ["^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "01234567-89ab-cdef-0123-456789abcdef", true],
  ["^(?<year>\\d{4})-(?:\\d{2})$", "2026-1", false],
  ["^[\\p{L}\\p{N} .'-]{1,100}$", "Zoë Müller", true],
  ["^\\{[](){}|]{2}$", "{)]", true],
  ["^[\\u{1000}-\\u{2000}]\\u{4096}?$", "\u1234", true],
])("ordinary patterns cost little: %s", (pattern, text, fits) => {
  expect(attempt(pattern, text)).toMatchObject({ fits });
  expect(attempt(`${pattern}|`).cost).toBeLessThan(10_000);
});
