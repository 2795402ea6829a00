import { describe, expect, test } from "vitest";
import { createFoldedTexts } from "./folded-texts.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

function fold(text: string, rows: number | undefined, columns = 20): string[] {
  return createFoldedTexts()
    .fold(text, { columns, rows }, (dim) => dim)
    .split("\n");
}

describe("folding", () => {
  test.each([
    ["text that fits", lines(3), 3, lines(3)],
    ["one row more than fits", lines(4), 3, lines(4)],
    ["text without a row limit", lines(400), undefined, lines(400)],
    ["a final line break", `${lines(4)}\n`, 3, `${lines(4)}\n`],
  ])("does not collapse %s", (_, text, rows, wanted) => {
    expect(fold(text, rows).join("\n")).toBe(wanted);
  });

  test("shows the start and the number of hidden lines", () => {
    expect(fold(lines(10), 3)).toEqual(["line 1", "line 2", "line 3", "  … 7 more lines, Ctrl+O expands"]);
  });

  test("counts rows, not lines", () => {
    const long = "x".repeat(100);
    expect(fold(`short\n${long}\nlast`, 4)).toEqual(["short", "  … 2 more lines, Ctrl+O expands"]);
    expect(fold(long, 2)).toEqual([`${"x".repeat(39)}…`, "  … more, Ctrl+O expands"]);
    expect(fold("y".repeat(3_000_000), 2)[0]).toHaveLength(40);
  });

  test("expands the newest text first, each once", () => {
    const folded = createFoldedTexts();
    for (const count of [10, 20]) folded.fold(lines(count), { columns: 20, rows: 2 }, (dim) => dim);
    expect([folded.open(), folded.open(), folded.open()]).toEqual([lines(20), lines(10), undefined]);
  });
});
