import type { Random } from "./grow-text.ts";

/** Sometimes replaces a byte, so that the text is no longer valid. */
export function spoilBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const spoilt = bytes.slice();
  if (spoilt.length > 0 && random() < 0.3)
    for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1)
      spoilt[Math.floor(random() * spoilt.length)] = Math.floor(random() * 256);
  return spoilt;
}

/** Returns the lines of some bytes, each decoded separately. */
export function linesOf(bytes: Uint8Array): { readonly text: string; readonly length: number }[] {
  const lines: { text: string; length: number }[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const line = bytes.slice(start, end);
    lines.push({ text: new TextDecoder().decode(line).replace(/\r$/, ""), length: line.length });
    start = end + 1;
  }
  return lines;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const BETWEEN = ["", "", " ", "\n", "\t", '// mine, " and }\n', "/* yours\n** // */"];

/** Returns the same JSON with additions that a config file may have: comments, blanks, trailing commas. */
export function withComments(json: string, random: Random): string {
  let text = "";
  let before = "[";
  for (const token of json.match(TOKENS) ?? []) {
    if ((token === "}" || token === "]") && before !== "{" && before !== "[" && random() < 0.3) text += ",";
    text += (BETWEEN[Math.floor(random() * BETWEEN.length)] ?? "") + token;
    before = token;
  }
  return text;
}

/**
 * From the tables of Unicode 15: control characters, direction marks, invisible characters, line separators,
 * interlinear marks.
 */
const HARMFUL: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** Returns the text with every harmful character escaped, one by one. */
export function spelledOut(text: string): string {
  const characters = [...text.replaceAll("\r\n", "\n")];
  return characters
    .map((character, at) => {
      const code = character.codePointAt(0) ?? 0;
      if (joins(characters, at)) return character;
      if (!HARMFUL.some(([first, last]) => code >= first && code <= last)) return character;
      const digits = code.toString(16);
      return code <= 0xff ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits.padStart(4, "0")}}`;
    })
    .join("");
}

/** Returns whether the character is a joiner in a joined emoji. The pieces contain no script that needs joiners. */
function joins(characters: readonly string[], at: number): boolean {
  if (characters[at] !== "\u200d") return false;
  const isEmoji = (text: string | undefined): boolean => /^\p{Extended_Pictographic}$/u.test(text ?? "");
  const before = characters[at - 1];
  const isAfterEmoji = isEmoji(before) || (before === "\ufe0f" && isEmoji(characters[at - 2]));
  return isAfterEmoji && isEmoji(characters[at + 1]);
}
