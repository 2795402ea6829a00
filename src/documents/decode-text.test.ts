import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText, decodeUtf8 } from "./decode-text.ts";

const NOT_UTF8 = "is not UTF-8 text; save it as UTF-8";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function utf16(text: string, order: "le" | "be"): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return new Uint8Array(order === "le" ? bytes : bytes.swap16());
}

test.each([
  ["UTF-8", utf8("é 日 😀")],
  ["UTF-8 with a byte order mark", utf8("\ufeffé 日 😀")],
  ["UTF-16, low byte first", utf16("é 日 😀", "le")],
  ["UTF-16, high byte first", utf16("é 日 😀", "be")],
])("%s is decoded", (_, bytes) => {
  expect(decodeText(bytes)).toEqual({ text: "é 日 😀" });
});

test.each([
  ["Latin-1", Uint8Array.of(0x7b, 0x0a, 0x22, 0xe9, 0x22), NOT_UTF8, 2, 2],
  ["an incomplete UTF-8 character", utf8("a😀").slice(0, 3), NOT_UTF8, 1, 2],
  ["a NUL byte", utf8("{\n\n  \0}"), "contains a NUL byte; save it as UTF-8", 3, 3],
  [
    "a NUL byte after a replacement character",
    utf8("\ufffd\0"),
    "contains a NUL byte; save it as UTF-8",
    1,
    2,
  ],
  [
    "UTF-16 without a byte order mark",
    utf16("{}", "le").slice(2),
    "contains a NUL byte; save it as UTF-8",
    1,
    2,
  ],
  ["UTF-32", Uint8Array.of(0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0), "contains a NUL byte; save it as UTF-8", 1, 1],
  ["the first byte of a byte order mark alone", Uint8Array.of(0xff, 0x7b), NOT_UTF8, 1, 1],
  ["the second byte of a byte order mark alone", Uint8Array.of(0x7b, 0xfe), NOT_UTF8, 1, 2],
  ["the first byte of the other byte order mark alone", Uint8Array.of(0xfe, 0x7b), NOT_UTF8, 1, 1],
  ["the second byte of the other byte order mark alone", Uint8Array.of(0x7b, 0xff), NOT_UTF8, 1, 2],
  ["truncated UTF-16", utf16("ab", "le").slice(0, 5), "is not UTF-16 text; save it as UTF-8", 1, 2],
])("%s is rejected with its position", (_, bytes, message, line, column) => {
  expect(decodeText(bytes)).toEqual({ message, at: { line, column } });
});

test("a replacement character in valid text is accepted", () => {
  expect(decodeText(utf8("a \ufffd b"))).toEqual({ text: "a \ufffd b" });
});

test("an empty file is decoded as empty text", () => {
  expect([decodeText(new Uint8Array()), decodeText(utf8("\ufeff"))]).toEqual([{ text: "" }, { text: "" }]);
});

test("every text without NUL is restored from its UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!text.includes("\0") && !text.startsWith("\ufeff"));
      expect(decodeText(utf8(text))).toEqual({ text });
    }),
  );
});

test("any bytes give either a text or a position", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const decoded = decodeText(bytes);
      if ("text" in decoded) expect(decoded.text).not.toContain("\0");
      else expect(decoded.at.line).toBeGreaterThan(0);
    }),
  );
});

describe("text that is written back", () => {
  test.each([
    ["plain text", "a ä €"],
    ["a byte order mark", "\ufeffa"],
    ["the replacement character", "\ufffd"],
  ])("keeps %s", (_, text) => {
    expect(decodeUtf8(new TextEncoder().encode(text), "a.json")).toBe(text);
  });

  test("must be UTF-8", () => {
    expect(() => decodeUtf8(Uint8Array.of(0x61, 0xff), "/home/me/a.json")).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: "/home/me/a.json is not UTF-8 text, so it was not changed.",
      }),
    );
  });
});
