import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeJson, safeLine, safeText, shortLine, shortText, truncate } from "./safe-text.ts";

/** Text with as many unsafe characters as safe ones. */
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

describe("untrusted text", () => {
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
    ["an invisible filler", "a\u3164b", "a\\u{3164}b"],
    ["a lone surrogate", "a\ud83d", "a\\u{d83d}"],
    ["a joiner between letters that need none", "pay\u200dpal", "pay\\u{200d}pal"],
    ["a joiner between an emoji and a letter", "😀\u200da", "😀\\u{200d}a"],
    ["a second joiner", "می\u200c\u200cخواهم", "می\\u{200c}\\u{200c}خواهم"],
    ["a joiner at the end of a word", "می\u200c", "می\\u{200c}"],
  ])("%s is escaped", (_, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  test.each([
    "plain text, with\ttabs\nand lines",
    "日本語, العربية, ελληνικά, é",
    "😀 and ❤\ufe0f",
    "👩\u200d👩\u200d👧, 👩🏽\u200d🚀 and ❤\ufe0f\u200d🔥",
    "می\u200cخواهم",
    "क्\u200dष, ක්\u200dය",
    "back\\slash $& $1",
  ])("%j is unchanged", (text) => {
    expect(safeText(text)).toBe(text);
  });

  test("Windows line endings become \\n", () => {
    expect(safeText("a\r\nb\r\n")).toBe("a\nb\n");
  });

  test("no control characters or invisible characters are left", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const rest = safeText(text)
          .replaceAll(/\t|\n|\ufe0f/g, "")
          .replaceAll(/(?<=\P{ASCII})[\u200c\u200d](?=\P{ASCII})/gu, ""); // allowed by the examples above
        expect(rest).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });

  test("safe text is not changed again", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(safeText(safeText(text))).toBe(safeText(text));
      }),
    );
  });
});

describe("untrusted text on one line", () => {
  test.each([
    ["first\n  second\r\n\n third", "first ⏎ second ⏎ third"],
    ["\n\nonly\n", "only"],
    ["a\tb", "a b"],
    ["", ""],
  ])("%j becomes %j", (text, line) => {
    expect(safeLine(text)).toBe(line);
  });

  test("the result never has a second line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(safeLine(text)).not.toMatch(/[\n\t]/);
      }),
    );
  });

  test("a megabyte of spaces is processed quickly", () => {
    const text = `a${" ".repeat(1_000_000)}b`;
    expect(safeLine(text)).toBe(text);
  });
});

describe("truncated text", () => {
  test.each([
    ["hello", 5, "hello"],
    ["hello", 4, "hel…"],
    ["hello", 1, "…"],
    ["hello", 0, "…"],
    ["ab😀cd", 4, "ab…"],
    ["ab😀cd", 5, "ab😀…"],
  ])("%j truncated to %i characters is %j", (text, length, truncated) => {
    expect(truncate(text, length)).toBe(truncated);
  });
});

describe("text that is truncated before it is cleaned", () => {
  test("equals text that is cleaned first, if it is short", () => {
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
    ["line endings", "\r\n", "\n\n\n\n\n\n\n\n\n\n…"],
    ["surrogate pairs", "😀", "😀😀😀😀😀…"],
  ])("starts with the beginning of a long text of %s and ends with …", (_, piece, shown) => {
    const cut = shortText(piece.repeat(1_000_000), 10);
    expect(cut.length).toBeLessThanOrEqual(10);
    expect(cut.endsWith("…")).toBe(true);
    expect(shown.startsWith(cut.slice(0, -1))).toBe(true);
  });

  test("keeps a long text on one line", () => {
    expect(shortLine(`a\nb${"\n".repeat(1_000)}c`, 100)).toBe("a ⏎ b…");
  });
});

test("JSON text is made safe and still parses to an equal value", () => {
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
