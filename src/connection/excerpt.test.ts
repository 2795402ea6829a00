import { expect, test } from "vitest";
import { excerptOf } from "./excerpt.ts";
import { OutputBuffer } from "./output-buffer.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

test("a short output is shown completely", () => {
  expect(excerptOf(numbered(12))).toBe(numbered(12).join("\n"));
  expect(excerptOf([])).toBe("");
});

test("a long output is shown with its beginning, its end and the lines that look like errors", () => {
  const lines = numbered(40);
  lines[9] = "TypeError: x is not a function";
  lines[20] = "connection refused";
  expect(excerptOf(lines)).toBe(
    "line 1\nline 2\nline 3\n…\nTypeError: x is not a function\n…\nconnection refused\n…\nline 37\nline 38\nline 39\nline 40",
  );
});

test("an error before pages of flag help is shown", () => {
  const help = Array.from({ length: 60 }, (_, at) => `  --flag-${at}   what it does`);
  const shown = excerptOf(
    ["error: unknown option '--prot'", "", "Usage: server [options]", ...help].filter(Boolean),
  );
  expect(shown).toContain("error: unknown option '--prot'");
  expect(shown.split("\n").length).toBeLessThanOrEqual(13);
});

test("no more error lines are shown than there is room for", () => {
  expect(
    excerptOf(Array.from({ length: 100 }, () => "error"))
      .split("\n")
      .filter((line) => line === "error"),
  ).toHaveLength(12);
});

test("lines that were not kept are marked", () => {
  expect(excerptOf(["a", undefined, "b"])).toBe("a\n…\nb");
});

test("the kept output has its first and last text, and no half words at the cuts", () => {
  const kept = new OutputBuffer({ head: 20, tail: 20 });
  kept.add(
    new TextEncoder().encode(
      `first line\nhalf-of-a-secret ${"x ".repeat(40)}\nhalf-of-another the last line`,
    ),
  );
  expect(kept.lines()).toEqual(["first line", undefined, " the last line"]);
  expect(kept.lines().join()).not.toContain("half");
});

test("a text within the limits is kept completely, however it is split", () => {
  const kept = new OutputBuffer({ head: 8, tail: 20 });
  for (const byte of new TextEncoder().encode("größer\r\n\r\nzweite Zeile")) kept.add(Uint8Array.of(byte));
  expect(kept.lines()).toEqual(["größer", "zweite Zeile"]);
});
