/* oxlint-disable no-control-regex -- control characters are what this is about */
import { graphemes, letterWidth, widthOf } from "./text-width.ts";

const COLOUR = /\u001b\[[0-9;]*m/g;
const RESET = "\u001b[0m";
/** Longer texts are wrapped by the terminal alone. Measuring a megabyte of joined emoji takes seconds. */
const MOST_WRAPPED = 50_000;
/** A row shows at most so many characters per column. A letter can have several, such as joined emoji. */
const MOST_PER_COLUMN = 16;

/** Returns the width of a clean line in columns, without colour codes. */
export function lineWidth(line: string): number {
  return widthOf(line.includes("\u001b") ? line.replace(COLOUR, "") : line);
}

export interface WrapOptions {
  /** The indentation of all rows after the first. */
  readonly indent?: number;
  /** Whether to break at any character instead of between words. */
  readonly isVerbatim?: boolean;
}

/** Wraps clean text into rows, between words if possible. Colours continue in the next row. */
export function wrap(text: string, columns: number, options: WrapOptions = {}): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(1, columns), options));
}

/**
 * Wraps long lines between words. Does not wrap a line with a word that fits in no row, so that long URLs can be
 * copied, and nothing after the beginning of a very long text.
 */
export function breakBetweenWords(text: string, columns: number): string {
  let left = MOST_WRAPPED;
  return text
    .split("\n")
    .map((line) => {
      left -= line.length;
      if (left < 0 || lineWidth(line) <= columns) return line;
      const plain = line.replace(COLOUR, "");
      const indent = plain.length - plain.trimStart().length;
      const isWordTooLong = plain.split(" ").some((word) => widthOf(word) > columns - indent);
      return isWordTooLong ? line : wrapLine(line, columns, { indent }).join("\n");
    })
    .join("\n");
}

function wrapLine(line: string, columns: number, { indent = 0, isVerbatim = false }: WrapOptions): string[] {
  if (lineWidth(line) <= columns) return [line];
  const margin = " ".repeat(indent < columns / 2 ? indent : 0);
  const rows: string[] = [];
  let row = "";
  let width = 0;
  let colours = "";
  /** The last space in this row, and the colours at that position. */
  let gap: { readonly at: number; readonly width: number; readonly colours: string } | undefined;
  const finish = (text: string, open: string): void => {
    rows.push(open === "" ? text : `${text}${RESET}`);
  };
  for (const piece of pieces(line)) {
    if (piece.startsWith("\u001b")) {
      row += piece;
      colours = afterColour(colours, piece);
      continue;
    }
    for (const letter of graphemes(piece)) {
      const own = letterWidth(letter);
      if (width + own > columns) {
        if (letter === " " && !isVerbatim) {
          gap = { at: row.length, width, colours };
          continue; // drop a space at the end of a row
        }
        const cut = isVerbatim ? undefined : gap;
        if (cut === undefined) {
          finish(row, colours);
          row = margin + colours;
          width = margin.length;
        } else {
          const rest = row.slice(cut.at).replace(/^ +/, "");
          finish(row.slice(0, cut.at), cut.colours);
          row = `${margin}${cut.colours}${rest}`;
          width = margin.length + lineWidth(rest);
        }
        gap = undefined;
      }
      if (letter === " " && width > margin.length) gap = { at: row.length, width, colours };
      row += letter;
      width += own;
    }
  }
  rows.push(row);
  return rows;
}

/** Returns the colours that are active at the end of a text. */
export function colourAfter(text: string): string {
  return (text.match(COLOUR) ?? []).reduce(afterColour, "");
}

/** Returns the active colours after one more code. Ended colours are removed. */
function afterColour(colours: string, piece: string): string {
  const code = Number(piece.slice(2, -1));
  if (code === 0) return "";
  const ended = ENDED_BY[code];
  if (ended === undefined) return colours + piece;
  return pieces(colours)
    .filter((each) => !ended.test(each.slice(2, -1)))
    .join("");
}

const ENDED_BY: Readonly<Record<number, RegExp>> = {
  22: /^[12]$/,
  23: /^3$/,
  24: /^4$/,
  27: /^7$/,
  39: /^[39][0-7]$/,
  49: /^(?:4|10)[0-7]$/,
};

function pieces(line: string): string[] {
  return line.split(/(\u001b\[[0-9;]*m)/).filter((piece) => piece !== "");
}

/** Truncates a line to a number of columns, with an ellipsis if text was cut. */
export function cut(line: string, columns: number): string {
  const most = MOST_PER_COLUMN * Math.max(1, columns);
  const isLong = line.length > most;
  if (!isLong && lineWidth(line) <= columns) return line;
  const beginning = isLong ? line.slice(0, most).replace(/\u001b[^m]*$|[\ud800-\udbff]$/, "") : line;
  const end = (hasColour: boolean): string => `${columns > 0 ? "…" : ""}${hasColour ? RESET : ""}`;
  let answer = "";
  let width = 0;
  let hasColour = false;
  for (const piece of pieces(beginning)) {
    if (piece.startsWith("\u001b")) {
      answer += piece;
      hasColour = true;
      continue;
    }
    for (const letter of graphemes(piece)) {
      const own = letterWidth(letter);
      if (width + own > columns - 1) return `${answer}${end(hasColour)}`;
      answer += letter;
      width += own;
    }
  }
  return isLong ? `${answer}${end(hasColour)}` : answer;
}
