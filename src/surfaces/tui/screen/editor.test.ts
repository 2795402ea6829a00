import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEditor, type Editor } from "./editor.ts";
import type { Key } from "./key.ts";
import { createKeyDecoder } from "./key-decoder.ts";
import { graphemes } from "./text-width.ts";

/** Converts notation to keys: `C-a` is Ctrl+A, `M-b` is Alt+B, anything else is typed. */
function keysOf(words: string): Key[] {
  return words.split(" ").map((word): Key => {
    const held = /^(C-|M-)(.+)$/.exec(word);
    if (held === null && /^<.+>$/.test(word)) return { kind: "key", name: word.slice(1, -1) as "left" };
    if (held === null) return { kind: "text", text: word.replaceAll("␣", " ") };
    const char = held[2] ?? "";
    return { kind: "key", name: "char", char, ...(held[1] === "C-" ? { ctrl: true } : { alt: true }) };
  });
}

function edited(words: string, isMultiLine = true): Editor {
  const editor = createEditor({ isMultiLine });
  for (const key of keysOf(words)) editor.handle(key);
  return editor;
}

/** Returns the text with `|` at the cursor. */
function shown({ text, cursor }: Editor): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe("the editor", () => {
  test.each([
    ["abc <left> <left> X", "aX|bc"],
    ["one␣two C-a > C-e <", ">one␣two<|"],
    ["one␣two␣three C-w", "one␣two␣|"],
    ["/mcp␣add␣a/b-c M-b M-b M-d", "/mcp␣add␣a/|-c"],
    ["one␣two C-w C-w C-y", "one␣two|"],
    ["one␣two C-a C-k x C-y", "xone␣two|"],
    ["one␣two <left> <left> <left> C-u", "|two"],
    ["one C-j two C-a C-k C-k C-a <backspace>", "one|"],
    ["one C-j two <home> <left> <delete>", "one|two"],
    ["👩‍👩‍👧x <left> <backspace>", "|x"],
    ["e\u0301 <left> <delete>", "|"],
    ["abc C-w C-_", "abc|"],
    ["one ␣ two C-_", "one|"],
    ["C-y C-_ <backspace> <delete> C-d C-w a C-_", "|"],
  ])("%s gives %s", (words, wanted) => {
    expect(shown(edited(words)).replaceAll(" ", "␣")).toBe(wanted);
  });

  test("a single line accepts no line breaks, and yanks killed text unchanged", () => {
    expect(edited("a C-j b", false).text).toBe("ab");
    expect(edited("one␣ C-w C-y", false).text).toBe("one ");
    const editor = createEditor({ isMultiLine: false });
    editor.handle({ kind: "paste", text: "  sk-123\n" });
    expect(editor.text).toBe("sk-123");
    editor.handle({ kind: "paste", text: "\none\n  two\n" });
    expect(editor.text).toBe("sk-123one two");
  });

  test("many blanks on a single line are kept in linear time", () => {
    const editor = createEditor({ isMultiLine: false });
    editor.reset(`${"\t".repeat(60_000)}x`);
    expect(editor.text).toHaveLength(240_001);
  });

  test("control characters never get into the text", () => {
    const hostile = "a\u001b[2Jb\u009b31m\u202ec\r\td\u2028\ud800";
    const editor = createEditor({ isMultiLine: true, fold: (text) => text });
    editor.reset(hostile);
    expect(editor.text).toBe("a[2Jb31mc    d");
    editor.replace(0, editor.text.length, hostile);
    expect(editor.text).toBe("a[2Jb31mc    d");
    editor.reset("");
    editor.handle({ kind: "paste", text: hostile });
    expect(editor.text).toBe("a[2Jb31mc    d");
  });

  const NAMES = ["left", "right", "home", "end", "backspace", "delete", "up", "pageUp"] as const;
  const anyKey: fc.Arbitrary<Key> = fc.oneof(
    fc
      .constantFrom("a", "b c", " ", "日", "👍🏽", "e\u0301", "x-y", "\u0301")
      .map((text): Key => ({ kind: "text", text })),
    fc.constantFrom("p", "one\ntwo", " \n ", "日本\n").map((text): Key => ({ kind: "paste", text })),
    fc.constantFrom(...NAMES).map((name): Key => ({ kind: "key", name })),
    fc.constantFrom(..."abdefhjkuwy").map((char): Key => ({ kind: "key", name: "char", char, ctrl: true })),
    fc.constantFrom("b", "d", "f").map((char): Key => ({ kind: "key", name: "char", char, alt: true })),
  );
  const HALF = /\p{Cs}/u;
  const undo: Key = { kind: "key", name: "char", char: "_", ctrl: true };

  test("after any keys the cursor is between graphemes, and undo restores the initial text", () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 60 }), fc.boolean(), (keys, isMultiLine) => {
        const editor = createEditor({ isMultiLine });
        editor.reset("at first");
        const seen = new Set(["at first"]);
        for (const key of keys) {
          editor.handle(key);
          seen.add(editor.text);
          expect(editor.cursor).toBeGreaterThanOrEqual(0);
          expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
          expect(editor.text).not.toMatch(HALF);
          expect(editor.text.slice(0, editor.cursor)).not.toMatch(HALF);
          if (!isMultiLine) expect(editor.text).not.toContain("\n");
        }
        for (let before = ""; before !== editor.text || keys.length > 0; ) {
          before = editor.text;
          editor.handle(undo);
          expect(seen).toContain(editor.text);
          if (editor.text === before) break;
        }
        expect(editor.text).toBe("at first");
      }),
    );
  });

  test("moving does not change the text, and consecutive kills are yanked together", () => {
    const text = fc.array(fc.constantFrom("ab", " ", "日", "👍🏽", "\n", "-"), { maxLength: 12 });
    fc.assert(
      fc.property(
        text,
        fc.nat(20),
        fc.array(fc.constantFrom("w", "u", "k"), { minLength: 1 }),
        (parts, steps, kills) => {
          const editor = createEditor({ isMultiLine: true });
          editor.reset(parts.join(""));
          for (let step = 0; step < steps; step += 1) editor.handle({ kind: "key", name: "left" });
          expect(editor.text).toBe(parts.join(""));
          const letters = [...graphemes(editor.text)];
          expect(letters.slice(0, Math.max(0, letters.length - steps)).join("")).toBe(
            editor.text.slice(0, editor.cursor),
          );
          for (const char of kills) editor.handle({ kind: "key", name: "char", char, ctrl: true });
          editor.handle({ kind: "key", name: "char", char: "y", ctrl: true });
          expect(editor.text).toBe(parts.join(""));
        },
      ),
    );
  });

  test("handles decoded terminal input", () => {
    const editor = createEditor({ isMultiLine: true });
    const bytes = new TextEncoder().encode("say\u001b[D\u001b[1;5D>\u001b[F!");
    for (const key of createKeyDecoder().push(bytes)) editor.handle(key);
    expect(shown(editor)).toBe(">say!|");
  });
});
