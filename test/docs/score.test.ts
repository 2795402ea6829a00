import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addUp, type Entry, judge, readTable, render } from "../../scripts/judge-score.mjs";
import { THEMES } from "../../scripts/score-lines.mjs";

const LINES = THEMES.flatMap(({ lines }) => lines);
const ALL: Entry = { line: "writers killed", goal: 100 };
const SHARE: Entry = { line: "tools found", goal: 50, share: 0.95 };
const MOST: Entry = { line: "tokens", goal: 1_000, most: 200 };

describe("a line of the score", () => {
  test.each<[string, Entry, [passed: number, total: number] | undefined, boolean]>([
    ["all, exactly the goal", ALL, [100, 100], true],
    ["all, and more than the goal", ALL, [120, 120], true],
    ["all, but fewer than the goal", ALL, [99, 99], false],
    ["one failure", ALL, [119, 120], false],
    ["no result", ALL, undefined, false],
    ["exactly the share", SHARE, [95, 100], true],
    ["less than the share", SHARE, [94, 100], false],
    ["the share, but too few tried", SHARE, [49, 49], false],
    ["exactly the maximum", MOST, [200, 5_000], true],
    ["more than the maximum", MOST, [201, 5_000], false],
    ["no result for a maximum", MOST, undefined, false],
  ])("%s", (_, entry, counts, isMet) => {
    const result = counts && { passed: counts[0], total: counts[1] };
    expect(judge(entry, result).isMet).toBe(isMet);
  });

  test.each<[string, Entry, [number, number], [number, number], boolean]>([
    ["the same", ALL, [120, 120], [120, 120], false],
    ["more", ALL, [130, 130], [120, 120], false],
    ["fewer passed", ALL, [119, 120], [120, 120], true],
    ["fewer tried, but the goal is met", ALL, [110, 110], [120, 120], true],
    ["fewer found, but the goal is met", SHARE, [96, 100], [97, 100], true],
    ["more used, but the goal is met", MOST, [190, 5_000], [180, 5_000], true],
    ["less used", MOST, [170, 5_000], [180, 5_000], false],
  ])("is compared with the saved result: %s", (_, entry, now, before, isWorse) => {
    const [result, kept] = [now, before].map(([passed, total]) => ({ passed, total }));
    expect(judge(entry, result, kept).isWorse).toBe(isWorse);
  });

  test("is not worse if it is new; without a result it is missed and worse", () => {
    expect(judge(ALL, { passed: 100, total: 100 })).toMatchObject({ isMet: true, isWorse: false });
    expect(judge(ALL, undefined, { passed: 100, total: 100 })).toMatchObject({
      isMet: false,
      isWorse: true,
    });
  });

  test("is the sum of the results of several tests", () => {
    const sums = addUp([
      { line: "a", passed: 1, total: 2, control: "0 of 2" },
      { line: "b", passed: 5, total: 5 },
      { line: "a", passed: 3, total: 3, worst: "7 ms" },
    ]);
    expect(Object.fromEntries(sums)).toEqual({
      a: { passed: 4, total: 5, control: "0 of 2", worst: "7 ms" },
      b: { passed: 5, total: 5 },
    });
  });
});

test("a written table can be read again, and marks missed and worse lines", () => {
  const rows = [
    judge(ALL, { passed: 1_234_567, total: 1_234_567, worst: "9 ms", control: "3 of 4" }),
    judge(SHARE, { passed: 90, total: 100 }, { passed: 95, total: 100 }),
    judge(MOST, { passed: 150, total: 60_000 }),
  ];
  const text = render([{ theme: "Things", rows }]);
  expect(text.split("\n").slice(2)).toEqual([
    "| **Things** | | | | |",
    "| writers killed | 1,234,567 of 1,234,567 | all: met | 9 ms | 3 of 4 |",
    "| tools found | 90 of 100 | ≥ 95 %: **missed**, **worse** than 95 of 100 |  |  |",
    "| tokens | 150 of 60,000 | ≤ 200: met |  |  |",
  ]);
  expect([...readTable(text)]).toEqual([
    ["writers killed", { passed: 1_234_567, total: 1_234_567 }],
    ["tools found", { passed: 90, total: 100 }],
    ["tokens", { passed: 150, total: 60_000 }],
  ]);
});

describe("the score page", () => {
  const kept = readTable(readFileSync("docs/score.md", "utf8"));

  test("has no line that is no longer measured", () => {
    expect(kept.size).toBeGreaterThan(10);
    const known = LINES.map(({ line }) => line);
    expect([...kept.keys()].filter((line) => !known.includes(line))).toEqual([]);
  });

  test("has unique line names, each reported by the tests of the line", () => {
    expect(new Set(LINES.map(({ line }) => line)).size).toBe(LINES.length);
    const wrong = LINES.flatMap(({ line, tests }) =>
      tests
        .filter(
          (file) =>
            !existsSync(file) || !readFileSync(file, "utf8").includes(JSON.stringify(line).slice(1, -1)),
        )
        .map((file) => `${file} does not report "${line}"`),
    );
    expect(wrong).toEqual([]);
  });
});
