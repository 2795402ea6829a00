import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareLines, renderDifference } from "./difference.ts";
import { createStyle } from "./style.ts";

const plain = createStyle(false);
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join("");

describe("the difference between two texts", () => {
  test("is shown with three lines around each change", () => {
    const before = lines(20);
    const after = before.replace("5\n", "five\n").replace("\n16\n", "\n");
    expect(renderDifference(before, after, plain)).toEqual([
      "@@ -2,7 +2,7 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+five",
      " 6",
      " 7",
      " 8",
      "@@ -13,7 +13,6 @@",
      " 13",
      " 14",
      " 15",
      "-16",
      " 17",
      " 18",
      " 19",
    ]);
  });

  test("joins changes that are close together", () => {
    const before = lines(9);
    const after = before.replace("2\n", "two\n").replace("8\n", "eight\n");
    expect(renderDifference(before, after, plain).filter((line) => line.startsWith("@@"))).toEqual([
      "@@ -1,9 +1,9 @@",
    ]);
  });

  test.each([
    ["nothing and nothing", "", "", []],
    ["equal texts", "a\nb\n", "a\nb\n", []],
    ["texts with other line ends", "a\r\nb\r\n", "a\nb\n", []],
    ["nothing and something", "", "a\nb\n", ["@@ -0,0 +1,2 @@", "+a", "+b"]],
    ["something and nothing", "a\n", "", ["@@ -1,1 +0,0 @@", "-a"]],
    ["a line more", "a\nc\n", "a\nb\nc\n", ["@@ -1,2 +1,3 @@", " a", "+b", " c"]],
  ])("of %s", (_, before, after, shown) => {
    expect(renderDifference(before, after, plain)).toEqual(shown);
  });

  test("has colours and no terminal control sequences", () => {
    const shown = renderDifference("", "\u001b[2J\u202ea\n", createStyle(true)).join("\n");
    expect(shown).toContain("\u001b[32m+\\x1b[2J\\u{202e}a\u001b[39m");
  });

  test("can restore both texts for any input", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "", "{"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const compared = compareLines(
          before.map((line) => `${line}\n`).join(""),
          after.map((line) => `${line}\n`).join(""),
        );
        const side = (other: string): string[] =>
          compared.filter(({ kind }) => kind !== other).map((line) => line.text);
        expect(side("added")).toEqual(before);
        expect(side("removed")).toEqual(after);
      }),
    );
  });

  test("of long texts without a common line is shown as a replacement", () => {
    const of = (letter: string): string =>
      Array.from({ length: 2_500 }, (_, at) => `${letter}${at}\n`).join("");
    const compared = compareLines(of("a"), of("b"));
    expect(compared.slice(0, 2_500).every(({ kind }) => kind === "removed")).toBe(true);
    expect(compared).toHaveLength(5_000);
  });
});
