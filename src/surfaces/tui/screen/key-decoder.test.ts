import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Key, keyLabel } from "./key.ts";
import { createKeyDecoder } from "./key-decoder.ts";

const ESC = "\u001b";
const SEQUENCES = [
  "",
  "x",
  "[A",
  "OA",
  "[1;5C",
  "[3~",
  "[13;2u",
  "[200~p\r\nq\u001b[201~",
  "[200~\u001b[20",
  "]0;t\u0007",
  "[M abc",
  "[[A",
  "[",
  "P1\u001b\\",
  "[999",
].map((rest) => `${ESC}${rest}`);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns readable names of the keys. */
const names = (keys: readonly Key[]): string[] =>
  keys.map((key) => (key.kind === "key" ? keyLabel(key) : `${key.kind} ${key.text}`));

function typed(text: string): string[] {
  const decoder = createKeyDecoder();
  return names([...decoder.push(bytes(text)), ...decoder.flush()]);
}

/** Joins adjacent text keys. */
function joined(keys: readonly Key[]): Key[] {
  return keys.reduce<Key[]>((all, key) => {
    const last = all.at(-1);
    if (key.kind === "text" && last?.kind === "text")
      return [...all.slice(0, -1), { kind: "text", text: last.text + key.text }];
    return [...all, key];
  }, []);
}

describe("keys", () => {
  test.each([
    ["hello, 世界 👍🏽", ["text hello, 世界 👍🏽"]],
    ["\r", ["enter"]],
    ["\n", ["ctrl+j"]],
    ["\t", ["tab"]],
    ["\u007f\b", ["backspace", "backspace"]],
    ["\u0000\u0003\u001f", ["ctrl+ ", "ctrl+c", "ctrl+_"]],
    [ESC, ["escape"]],
    [`${ESC}${ESC}`, ["escape", "escape"]],
    [`${ESC}b`, ["alt+b"]],
    [`${ESC}ü`, ["alt+ü"]],
    [`${ESC}\r`, ["alt+enter"]],
    [`${ESC}\u007f`, ["alt+backspace"]],
    [`${ESC}\u0003`, ["escape", "ctrl+c"]],
    [`${ESC}[A${ESC}OB${ESC}[C${ESC}[D`, ["up", "down", "right", "left"]],
    [`${ESC}[1;5D${ESC}[1;3C${ESC}${ESC}[D`, ["ctrl+left", "alt+right", "alt+left"]],
    [`${ESC}[H${ESC}[1~${ESC}OH${ESC}[F${ESC}[4~`, ["home", "home", "home", "end", "end"]],
    [`${ESC}[3~${ESC}[3;3~${ESC}[5~${ESC}[6~`, ["delete", "alt+delete", "pageUp", "pageDown"]],
    [`${ESC}[Z`, ["shift+tab"]],
    [`${ESC}OM`, ["enter"]],
    [`${ESC}[13;2u${ESC}[27;5;13~`, ["shift+enter", "ctrl+enter"]],
    [`${ESC}[97;5u${ESC}[97;2u${ESC}[97;5:3u`, ["ctrl+a", "text A"]],
    ["a\u0080\u009bb", ["text a", "text b"]],
  ])("%j are %j", (text, keys) => {
    expect(typed(text)).toEqual(keys);
  });

  test.each([
    ["a mouse", `${ESC}[<0;10;20M${ESC}[M !!x`, ["text x"]],
    ["the terminal's name for itself", `${ESC}[?62;c${ESC}P>|term 1.0${ESC}\\x`, ["text x"]],
    ["its background", `${ESC}]11;rgb:0000/0000/0000\u0007x`, ["text x"]],
    ["a function key of the console", `${ESC}[[Ax`, ["text x"]],
    ["no known key", `${ESC}[99~${ESC}[5n${ESC}Oqx`, ["text x"]],
    ["a private letter as a key", `${ESC}[57358u${ESC}[55296u${ESC}[99999999ux`, ["text x"]],
  ])("%s produces no keys", (_, text, keys) => {
    expect(typed(text)).toEqual(keys);
  });

  test("a paste is one key with normalized line breaks, and its contents are not keys", () => {
    expect(typed(`a${ESC}[200~one\r\ntwo\rthree\u0003${ESC}[A${ESC}[201~b`)).toEqual([
      "text a",
      `paste one\ntwo\nthree\u0003${ESC}[A`,
      "text b",
    ]);
  });

  test("a paste has no time limit, an escape sequence has", () => {
    const decoder = createKeyDecoder();
    decoder.push(bytes(`${ESC}[200~half`));
    expect([decoder.isWaiting, decoder.flush()]).toEqual([false, []]);
    expect(names(decoder.push(bytes(` done${ESC}[201~`)))).toEqual(["paste half done"]);
    decoder.push(bytes(ESC));
    expect(decoder.isWaiting).toBe(true);
    expect(names(decoder.flush())).toEqual(["escape"]);
  });

  test("an unterminated sequence does not swallow later keys", () => {
    expect(typed(`${ESC}[${"1;".repeat(500)}`).length).toBeLessThan(1_000);
    expect(typed(`${ESC}]${"x".repeat(400)}\rabc`).at(-1)).toBe("text abc");
  });

  test("are the same however the bytes are split", () => {
    const piece = fc.constantFrom(
      "a",
      "é",
      "日",
      "👩‍👩‍👧",
      "\r",
      "\n",
      "\u0003",
      "\u0000",
      "\u009b",
      ...SEQUENCES,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(80)), (pieces, places) => {
        const all = bytes(pieces.join(""));
        const whole = createKeyDecoder();
        const wanted = joined([...whole.push(all), ...whole.flush()]);
        const cut = createKeyDecoder();
        const ends = [...new Set(places.filter((place) => place < all.length)), all.length].sort(
          (a, b) => a - b,
        );
        const keys = ends.flatMap((end, index) => cut.push(all.subarray(ends[index - 1] ?? 0, end)));
        expect(joined([...keys, ...cut.flush()])).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });
});
