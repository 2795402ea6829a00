import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineFramer } from "./line-framer.ts";

interface Framed {
  readonly lines: string[];
  tooLong: number;
}

function frame(chunks: Iterable<Uint8Array>, limit?: number): Framed {
  const framed: Framed = { lines: [], tooLong: 0 };
  const push = createLineFramer({
    onLine: (line) => framed.lines.push(line),
    onTooLong: () => void (framed.tooLong += 1),
    ...(limit !== undefined && { limit }),
  });
  for (const chunk of chunks) push(chunk);
  return framed;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Splits the bytes at these positions. */
function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set([...places.map((place) => place % (whole.length + 1)), whole.length])].sort(
    (a, b) => a - b,
  );
  return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
}

describe("lines", () => {
  test.each([
    ["one", "a\n", ["a"]],
    ["several", "a\nb\n\nc\n", ["a", "b", "", "c"]],
    ["of Windows", "a\r\nb\r\n", ["a", "b"]],
    ["with a carriage return inside", "a\rb\n", ["a\rb"]],
    ["without an end yet", "a\nb", ["a"]],
    ["none", "", []],
  ])("are split at line feeds: %s", (_, text, lines) => {
    expect(frame([bytes(text)]).lines).toEqual(lines);
  });

  test("are the same however the bytes are split, even inside a character", () => {
    const anyText = fc.array(
      fc.oneof(fc.constantFrom("\n", "\r\n", "é", "日", "😀", "a"), fc.string({ unit: "grapheme" })),
    );
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(), { maxLength: 20 }), (pieces, places) => {
        const whole = bytes(`${pieces.join("")}\n`);
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole);
        const lines = text.split(/\r?\n/).map((line) => line.replace(/^\ufeff/, ""));
        expect(frame(cut(whole, places)).lines).toEqual(lines.slice(0, -1));
      }),
    );
  });

  test("in many tiny pieces need no more memory than the line itself", () => {
    const framed: string[] = [];
    const push = createLineFramer({ onLine: (line) => framed.push(line) });
    const one = bytes("x");
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 2_000_000; count += 1) push(one);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000);
    push(bytes("\n"));
    expect(framed.map(({ length }) => length)).toEqual([2_000_000]);
  });

  test("do not change when the sender reuses its buffer", () => {
    const framed: string[] = [];
    const push = createLineFramer({ onLine: (line) => framed.push(line) });
    const buffer = bytes("half");
    push(buffer);
    buffer.fill(0x78);
    push(bytes(" and half\n"));
    expect(framed).toEqual(["half and half"]);
  });
});

describe("a line over the limit", () => {
  test.each([
    ["in one piece", ["123456789\nok\n"]],
    ["in many pieces", ["123", "456", "789", "\nok\n"]],
    ["byte by byte", [..."123456789\nok\n"]],
  ])("is dropped and reported once, and the next line is read: %s", (_, chunks) => {
    expect(frame(chunks.map(bytes), 8)).toEqual({ lines: ["ok"], tooLong: 1 });
  });

  test("is reported with both ends, however it is split", () => {
    const long = `begin ${"x".repeat(1000)} end`;
    for (const size of [1, 7, 300, 5000]) {
      const ends: [string, string][] = [];
      const push = createLineFramer({
        onLine: () => expect.fail("it was read"),
        onTooLong: (head, tail) => void ends.push([head, tail]),
        limit: 500,
      });
      const whole = bytes(`${long}\n`);
      for (let at = 0; at < whole.length; at += size) push(whole.slice(at, at + size));
      expect(ends).toEqual([[long.slice(0, 256), long.slice(-256)]]);
    }
  });

  test("is reported with its beginning as soon as it is too long, even if it never ends", () => {
    const heads: string[] = [];
    const push = createLineFramer({
      onLine: () => {},
      onOverflow: (head) => void heads.push(head),
      limit: 8,
    });
    push(bytes("12345678"));
    expect(heads).toEqual([]);
    push(bytes("9"));
    push(bytes("and on"));
    expect(heads).toEqual(["123456789"]);
  });

  test("is one byte longer than the longest line that is read", () => {
    expect(frame([bytes("12345678\n123456789\n")], 8)).toEqual({ lines: ["12345678"], tooLong: 1 });
  });
});
