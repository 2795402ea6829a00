import type { Random } from "./grow-text.ts";

/** Now and then a byte is another one, so that the text is none any more. */
export function spoilBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const spoilt = bytes.slice();
  if (spoilt.length > 0 && random() < 0.3)
    for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1)
      spoilt[Math.floor(random() * spoilt.length)] = Math.floor(random() * 256);
  return spoilt;
}

/** The lines of some bytes, each decoded for itself. */
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

/** The same JSON with what a config file may have beside: comments, blanks, commas before the end. */
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

/** From the tables of Unicode 15: controls, marks of direction, what shows as nothing, separators of lines, interlinear marks. */
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

/** The text with everything harmful spelled out, one character after the other. */
export function spelledOut(text: string): string {
  return [...text.replaceAll("\r\n", "\n")]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (!HARMFUL.some(([first, last]) => code >= first && code <= last)) return character;
      const digits = code.toString(16);
      return code <= 0xff ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits.padStart(4, "0")}}`;
    })
    .join("");
}
