import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeJson, safeLine, safeText, shortLine, shortText, truncate } from "./safe-text.ts";

/** Text in which dangerous characters are as frequent as harmless ones. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }),
      fc.integer({ min: 0, max: 0x9f }),
      fc.integer({ min: 0x2000, max: 0x206f }),
      fc.integer({ min: 0xe0000, max: 0xe01ff }),
      fc.constantFrom(0xfeff, 0x61c, 0xad, 0x3164, 0xd800, 0xdfff, 0xfe0f, 13, 10, 9),
    ),
  )
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(""));

describe("text from outside", () => {
  test.each([
    ["an escape sequence", "\u001b[2J", "\\x1b[2J"],
    ["a bell", "\u0007", "\\x07"],
    ["a carriage return that overwrites a line", "bad\rgood", "bad\\x0dgood"],
    ["a C1 control", "\u009b31m", "\\x9b31m"],
    ["a right-to-left override", "exe.\u202etxt", "exe.\\u{202e}txt"],
    ["an isolate", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["a zero-width space", "a\u200bb", "a\\u{200b}b"],
    ["a byte order mark in the middle", "a\ufeffb", "a\\u{feff}b"],
    ["tag characters", "\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"],
    ["a soft hyphen", "a\u00adb", "a\\xadb"],
    ["a filler that looks like nothing", "a\u3164b", "a\\u{3164}b"],
    ["half a character", "a\ud83d", "a\\u{d83d}"],
  ])("%s is spelled out", (_, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  test.each([
    "plain text, with\ttabs\nand lines",
    "日本語, العربية, ελληνικά, é",
    "😀 and ❤\ufe0f",
    "back\\slash $& $1",
  ])("%j stays as it is", (text) => {
    expect(safeText(text)).toBe(text);
  });

  test("lines of Windows become plain lines", () => {
    expect(safeText("a\r\nb\r\n")).toBe("a\nb\n");
  });

  test("nothing is left that steers a terminal or hides", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const rest = safeText(text).replaceAll(/\t|\n|\ufe0f/g, "");
        expect(rest).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });

  test("what is safe already is not changed again", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(safeText(safeText(text))).toBe(safeText(text));
      }),
    );
  });
});

describe("one line of text from outside", () => {
  test.each([
    ["first\n  second\r\n\n third", "first ⏎ second ⏎ third"],
    ["\n\nonly\n", "only"],
    ["a\tb", "a b"],
    ["", ""],
  ])("%j becomes %j", (text, line) => {
    expect(safeLine(text)).toBe(line);
  });

  test("there is never a second line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(safeLine(text)).not.toMatch(/[\n\t]/);
      }),
    );
  });

  test("a megabyte of blanks is no more work than a megabyte of text", () => {
    const text = `a${" ".repeat(1_000_000)}b`;
    expect(safeLine(text)).toBe(text);
  });
});

describe("cut text", () => {
  test.each([
    ["hello", 5, "hello"],
    ["hello", 4, "hel…"],
    ["hello", 1, "…"],
    ["hello", 0, "…"],
    ["ab😀cd", 4, "ab…"],
    ["ab😀cd", 5, "ab😀…"],
  ])("%j in %i characters is %j", (text, length, cut) => {
    expect(truncate(text, length)).toBe(cut);
  });
});

describe("a text that is cut before it is cleaned", () => {
  test("is the same as one that is cleaned first, if it is not long", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(shortText(text, 1_000)).toBe(truncate(safeText(text), 1_000));
        expect(shortLine(text, 1_000)).toBe(truncate(safeLine(text), 1_000));
      }),
    );
  });

  test.each([
    ["hidden characters", "\u202e", "\\u{202e}\\…"],
    ["blank lines", "\n ", "\n \n \n \n \n …"],
    ["line ends", "\r\n", "\n\n\n\n\n\n\n\n\n\n…"],
    ["pairs", "😀", "😀😀😀😀😀…"],
  ])("shows the beginning of a long text of %s, and that it was cut", (_, piece, shown) => {
    const cut = shortText(piece.repeat(1_000_000), 10);
    expect(cut.length).toBeLessThanOrEqual(10);
    expect(cut.endsWith("…")).toBe(true);
    expect(shown.startsWith(cut.slice(0, -1))).toBe(true);
  });

  test("keeps a long line on one line", () => {
    expect(shortLine(`a\nb${"\n".repeat(1_000)}c`, 100)).toBe("a ⏎ b…");
  });
});

test("a JSON text is made harmless and stays the same JSON", () => {
  const value = {
    "a\u009b2J": [
      "\u009d52;c;eA==\u009c",
      "\u202e\u200b\u{e0041}\u2028\u007f",
      "größe 🙂 日本",
      "a\nb\t\u001b",
    ],
  };
  const json = safeJson(JSON.stringify(value, undefined, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toContain("größe 🙂 日本");
  expect(json.replaceAll("\n", "")).not.toMatch(
    /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028]/u,
  );
});
