import { afterEach, expect, test, vi } from "vitest";
import type { Style } from "../../shared/render/style.ts";
import { createCompletionMenu } from "./completion-menu.ts";
import { breakBetweenWords, cut } from "./wrap.ts";

const RED = "\u001b[31m";
const FAMILY = "👩‍👩‍👧";
/** Letters that are slow to measure, and those that take no column at all. */
const LONG: readonly string[] = [`${FAMILY} `, FAMILY, "e\u0301", "漢", "\u0301", RED].map((letter) =>
  letter.repeat(200_000),
);

afterEach(() => vi.restoreAllMocks());

/** Counts the characters that are segmented, which is what takes long. */
function countMeasured(): () => number {
  const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
  return () => segment.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
}

test.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["a long line", 6, "a lon…"],
  ["漢字漢字", 5, "漢字…"],
  [`${RED}red${RED} text`, 4, `${RED}red${RED}…\u001b[0m`],
])("%j in %i columns", (line, columns, shown) => {
  expect(cut(line, columns)).toBe(shown);
});

test.each(LONG)("a row of a very long text measures its beginning only (%#)", (text) => {
  const measured = countMeasured();
  const row = cut(text, 80);
  expect(row.replace("\u001b[0m", "")).toMatch(/…$/);
  expect(row.length).toBeLessThan(5_000);
  expect(measured()).toBeLessThan(20_000);
});

test("a row does not end in half a letter or half a colour", () => {
  const marks = "\u0301".repeat(16 * 5 - 1);
  expect(cut(`${marks}😀${marks}`, 5)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  expect(cut(`${marks}${RED}${marks}`, 5)).not.toContain("\u001b");
});

test.each(LONG)("printing a very long text measures a limited part of it (%#)", (text) => {
  const measured = countMeasured();
  expect(breakBetweenWords(`${text}\n${text.slice(0, 70_000)}`, 80)).toContain(text);
  expect(measured()).toBeLessThan(500_000);
});

test("a menu of very long items measures their beginnings only", () => {
  const items = LONG.map((text) => ({ text, note: text }));
  const measured = countMeasured();
  const same = (text: string): string => text;
  const style = { name: same, dim: same } as unknown as Style;
  expect(createCompletionMenu({ from: 0, items })?.view(80, 10, style)).toHaveLength(LONG.length);
  expect(measured()).toBeLessThan(100_000);
});
