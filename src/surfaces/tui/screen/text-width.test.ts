import { expect, test } from "vitest";
import { graphemes, widthOf } from "./text-width.ts";

test.each([
  ["", 0, 0],
  ["plain words", 11, 11],
  ["naïve – “quoted” …", 18, 18],
  ["日本語", 6, 3],
  ["한국어", 6, 3],
  ["ｗｉｄｅ", 8, 4],
  ["e\u0301a\u0300", 2, 2],
  ["👍", 2, 1],
  ["👍🏽", 2, 1],
  ["👩‍👩‍👧‍👦", 2, 1],
  ["🇩🇪🇯🇵", 4, 2],
  ["❤️ ✔︎", 4, 3],
  ["●◌✓✗›…│─", 8, 8],
  ["नमस्ते", 3, 3],
])("%j takes %i columns and has %i letters", (text, width, letters) => {
  expect(widthOf(text)).toBe(width);
  expect([...graphemes(text)]).toHaveLength(letters);
});
