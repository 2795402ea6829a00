import { expect, test } from "vitest";
import { encodeInPieces } from "./encode-in-pieces.ts";

const MILLION = 1024 * 1024;

test.each([
  ["no text", "", 0],
  ["a short text", "ünïcode", 1],
  ["a long text", "a".repeat(2 * MILLION + 1), 3],
  ["characters of two halves at the end of a piece", `a${"\u{1f600}".repeat(MILLION)}`, 2],
  ["halves that stand alone", `${"a".repeat(MILLION - 1)}\ud83d${"a".repeat(10)}\ude00`, 2],
])("%s is encoded in pieces to the same bytes", (_, text, count) => {
  const pieces = Array.from(encodeInPieces(text), (piece) => Buffer.from(piece)); // each is overwritten by the next
  expect(pieces).toHaveLength(count);
  expect(Buffer.concat(pieces).equals(Buffer.from(text))).toBe(true);
});
