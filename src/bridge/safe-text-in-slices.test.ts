import { expect, test } from "vitest";
import { safeText } from "../model/index.ts";
import { safeTextInSlices } from "./safe-text-in-slices.ts";

const SLICE = 64 * 1024;

test("a short text is converted at once", () => {
  expect(safeTextInSlices("a\u202eb", 1_000, () => undefined)).toBe("a\\u{202e}b");
});

test.each([
  ["a carriage return and a line feed", "\r\n"],
  ["a surrogate pair", "😀"],
  ["half a surrogate pair", "\ud83d"],
  ["a hidden character", "\u202e"],
])("a long text is converted correctly if a slice ends at %s", async (_, piece) => {
  for (const before of [SLICE - 2, SLICE - 1, SLICE]) {
    const text = `${"a".repeat(before)}${piece}${"b".repeat(SLICE)}`;
    expect((await safeTextInSlices(text, 1e9, () => undefined)) === safeText(text)).toBe(true);
  }
});

test("other work runs between slices, and the result is truncated", async () => {
  let pauses = 0;
  const pace = async (): Promise<void> => {
    pauses += 1;
  };
  const text = await safeTextInSlices("\u202e".repeat(10 * SLICE), 20 * SLICE, pace);
  expect(pauses).toBe(3);
  expect(text).toHaveLength(24 * SLICE + 1);
  expect(text.endsWith("…")).toBe(true);
});
