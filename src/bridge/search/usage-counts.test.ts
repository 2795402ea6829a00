import { describe, expect, test } from "vitest";
import { hashWords, UsageCounts } from "./usage-counts.ts";

const [ISSUE, MAIL] = ["00000000000000a1", "00000000000000a2"];

function countsOf(...uses: readonly (readonly [tool: string, ...queries: string[]])[]): UsageCounts {
  const counts = new UsageCounts();
  for (const [tool, ...queries] of uses) counts.add({ tool, words: hashWords(queries) });
  return counts;
}

describe("a tool that was called after a search", () => {
  const counts = countsOf([ISSUE, "report a defect", "new bug"], [MAIL, "send mail to customer"]);

  test.each([
    ["the same words", ["report a defect", "new bug"]],
    ["other forms and another order", ["bugs", "reporting new defects"]],
    ["most of the words", ["report defect bug"]],
  ])("is proven for %s", (_, queries) => {
    const learned = counts.learned(hashWords(queries));
    expect([...learned.keys()]).toEqual([ISSUE]);
    expect(learned.get(ISSUE)).toBeGreaterThan(0.5);
    expect(learned.get(ISSUE)).toBeLessThanOrEqual(1.000_001);
  });

  test.each([
    ["one shared word", ["report the weekly sales numbers"]],
    ["no shared word", ["translate a text"]],
    ["no words", ["the of"]],
  ])("is not proven for %s", (_, queries) => {
    expect(counts.learned(hashWords(queries)).size).toBe(0);
  });

  test("shares the proof with other tools that were called after it", () => {
    const both = countsOf([ISSUE, "report bug"], [ISSUE, "report bug"], [MAIL, "report bug"]);
    const learned = both.learned(hashWords(["report bug"]));
    expect(learned.get(ISSUE)).toBeCloseTo(2 / 3);
    expect(learned.get(MAIL)).toBeCloseTo(1 / 3);
  });
});

test("recent calls count more than old ones, and tools that are no longer called are forgotten", () => {
  const counts = countsOf(
    ...Array.from({ length: 20 }, () => [MAIL] as const),
    ...Array.from({ length: 100 }, () => [ISSUE] as const),
  );
  expect(counts.uses.get(ISSUE)).toBeGreaterThan(8 * (counts.uses.get(MAIL) ?? 0));
  for (let at = 0; at < 1_000; at += 1) counts.add({ tool: ISSUE });
  expect([...counts.uses.keys()]).toEqual([ISSUE]);
});

test("saved counts are the same after they are read, and contain no words", () => {
  const counts = countsOf([ISSUE, "report a defect"], [MAIL, "send mail"]);
  counts.add({ tool: ISSUE, isOffered: true });
  counts.add({ tool: MAIL, isOffered: false });
  const text = counts.toText();
  expect(text).not.toMatch(/report|defect|mail/);
  const again = UsageCounts.parse(text);
  expect(again.learned(hashWords(["defect report"]))).toEqual(counts.learned(hashWords(["defect report"])));
  expect(again.toText()).toBe(text);
  expect(again.offered.hits / again.offered.calls).toBeCloseTo(0.5, 1);
});

test("saved counts stay below 1 MB, and the latest searches are kept", () => {
  const counts = new UsageCounts();
  const queryOf = (at: number): string => Array.from({ length: 16 }, (_, word) => `w${at}x${word}`).join(" ");
  for (let at = 0; at < 3_000; at += 1)
    for (let tool = 0; tool < 3; tool += 1)
      counts.add({
        tool: `${(at * 8 + tool) % 100_000}`.padStart(16, "0"),
        words: hashWords([queryOf(at)]),
      });
  const text = counts.toText();
  expect(text.length).toBeLessThan(2 ** 20);
  const again = UsageCounts.parse(text);
  expect(again.learned(hashWords([queryOf(2_999)])).size).toBe(3);
  expect(again.learned(hashWords([queryOf(0)])).size).toBe(0);
});

test.each([
  "",
  "[",
  "null",
  '{"version":2,"uses":{"00000000000000a1":5}}',
  '{"version":1,"uses":{"x":1,"00000000000000a1":-1},"offered":{"calls":1,"hits":2},"searches":[{"words":["no"],"tools":{}},7]}',
  '{"version":1,"uses":[],"searches":{}}',
])("a damaged file counts as empty: %s", (text) => {
  const counts = UsageCounts.parse(text);
  expect(counts.toText()).toBe(new UsageCounts().toText());
});
