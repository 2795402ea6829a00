import { expect, test } from "vitest";
import { quotedPieces, serverText } from "./server-text.ts";

test.each([
  ["a short text", "a\u202eb", 20, String.raw`a\u{202e}b`],
  ["a text of just that length", "x".repeat(20), 20, "x".repeat(20)],
  ["a longer text", "x".repeat(25), 20, `${"x".repeat(19)}… (5 more characters)`],
  ["a much longer text", "x".repeat(1_000), 20, `${"x".repeat(19)}… (980 more characters)`],
  [
    "a text that gets longer",
    "\u007f".repeat(10),
    20,
    String.raw`\x7f\x7f\x7f\x7f\x7f`.slice(0, 19).concat("… (20 more characters)"),
  ],
  [
    "a character at the cut",
    `${"x".repeat(18)}\u{1f600}${"x".repeat(100)}`,
    20,
    `${"x".repeat(18)}… (100 more characters)`,
  ],
])("%s is made safe and truncated", (_, text, most, shown) => {
  expect(serverText(text, most)).toBe(shown);
});

test.each([
  ["del", "\u007f".repeat(16_000_000)],
  ["hidden characters", "\u200b".repeat(5_000_000)],
  ["line ends", "\r\n".repeat(8_000_000)],
])("only the part of a long text that is shown is cleaned: %s", (_, text) => {
  for (let count = 0; count < 100; count += 1) expect(serverText(text, 4_000).length).toBeLessThan(4_100);
});

test("a long text is quoted in pieces, none of which is long, and nothing is lost", () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
  const text = [...lines, "y".repeat(200_000), "\u{1f600}".repeat(100_000), "end"].join("\n");
  const pieces = [...quotedPieces(text)];
  expect(pieces.length).toBeGreaterThan(5);
  for (const piece of pieces) expect(piece.length).toBeLessThan(200_000);
  const whole = pieces.join("\n").replaceAll(/^ {2}│ /gm, "");
  expect(whole.replaceAll("\n", "")).toBe(text.replaceAll("\n", ""));
  expect(pieces[0]?.split("\n").slice(0, 2)).toEqual(["  │ line 0", "  │ line 1"]);
});

test("an empty text has one empty piece", () => {
  expect([...quotedPieces("")]).toEqual(["  │ "]);
});
