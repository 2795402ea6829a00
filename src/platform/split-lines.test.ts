import { expect, test } from "vitest";
import { LineSplitter } from "./split-lines.ts";

test.each([
  [["a\nb\n"], ["a", "b"], ""],
  [["a", "b\nc", "\n", "d"], ["ab", "c"], "d"],
  [["\n\n"], ["", ""], ""],
  [["", "a\r\n"], ["a\r"], ""],
] as const)("splits %j", (pieces, lines, rest) => {
  const splitter = new LineSplitter(10);
  expect(pieces.flatMap((piece) => splitter.push(piece))).toEqual(lines);
  expect(splitter.rest()).toBe(rest);
});

test("a line that has not ended may have at most the limit", () => {
  const splitter = new LineSplitter(4);
  expect(splitter.push("ab")).toEqual([]);
  expect(splitter.push("cd")).toEqual([]);
  expect(splitter.push("e")).toBeUndefined();
});

test("a long line in many pieces costs no more than its length", () => {
  const splitter = new LineSplitter(Number.POSITIVE_INFINITY);
  const piece = "x".repeat(1_000);
  for (let count = 0; count < 20_000; count += 1) splitter.push(piece);
  expect(splitter.push("\n")?.[0]).toHaveLength(20_000_000);
});
