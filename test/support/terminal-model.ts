/* oxlint-disable no-control-regex -- control characters are what this is about */
import { letterWidth } from "../../src/surfaces/tui/screen/text-width.ts";

interface Row {
  /** One entry per column. The second column of a wide letter is "". */
  cells: string[];
  /** The style of each cell. Text after a change of width is plain. */
  paints: string[];
  /** The text continues in the next row because this one was full. */
  isWrapped: boolean;
}

/** A model of a terminal, complete enough to show what a user sees. */
export interface TerminalModel {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** What is on the screen, without blanks at the ends of lines and empty lines at the end. */
  screen(): string[];
  /** All of it: what scrolled away and what is on the screen. */
  everything(): string[];
  /** The screen in pieces of one colour: the active codes, such as `1 36`, and the text. */
  painted(): PaintedText[][];
  readonly cursor: { readonly row: number; readonly column: number };
  /** How many rows have scrolled away. */
  readonly scrolled: number;
  /** The private modes that are on, such as 25 (cursor shown) and 2004 (pastes are marked). */
  readonly modes: ReadonlySet<number>;
  /** Unknown sequences. There should be none. */
  readonly unknown: readonly string[];
}

export interface PaintedText {
  readonly paint: string;
  readonly text: string;
  readonly column: number;
}

const SEQUENCE =
  /^\u001b(?:\[([?>=<]?)([\d;:]*)([ -/]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|([=>78]))/;

/** A terminal that wraps at the last column, scrolls, and rewraps long lines when its width changes. */
export function createTerminalModel(columns: number, rows: number): TerminalModel {
  let size = { columns, rows };
  let lines: Row[] = [emptyRow()];
  /** The line that is at the top of the screen. */
  let top = 0;
  let row = 0; // counted from the first line ever
  let column = 0;
  let willWrap = false;
  let rest = "";
  let paint = "";
  const modes = new Set<number>([25]);
  const unknown: string[] = [];

  const lineAt = (index: number): Row => {
    while (lines.length <= index) lines.push(emptyRow());
    return lines[index] ?? emptyRow();
  };
  const goDown = (): void => {
    row += 1;
    lineAt(row);
    if (row - top >= size.rows) top = row - size.rows + 1;
  };
  const put = (letter: string): void => {
    const width = letterWidth(letter);
    if (width === 0) {
      const before = lineAt(row).cells[column - 1];
      if (before !== undefined) lineAt(row).cells[column - 1] = before + letter;
      return;
    }
    if (willWrap || column + width > size.columns) {
      lineAt(row).isWrapped = true;
      goDown();
      column = 0;
      willWrap = false;
    }
    const line = lineAt(row);
    while (line.cells.length < column) line.cells.push(" ");
    line.cells.splice(column, width, letter, ...Array.from({ length: width - 1 }, () => ""));
    line.paints[column] = paint;
    column += width;
    if (column >= size.columns) {
      column = size.columns - 1;
      willWrap = true;
    }
  };
  const control = (letter: string): void => {
    if (letter === "\r") column = 0;
    if (letter === "\b") column = Math.max(0, column - 1);
    if (letter === "\n") goDown();
    willWrap = false;
  };
  const eraseInLine = (how: number): void => {
    const line = lineAt(row);
    line.isWrapped = false;
    if (how === 0) line.cells.length = Math.min(line.cells.length, column);
    else if (how === 1) line.cells.fill(" ", 0, column + 1);
    else line.cells = [];
  };
  const eraseBelow = (): void => {
    eraseInLine(0);
    for (const line of lines.slice(row + 1)) {
      line.cells = [];
      line.isWrapped = false;
    }
  };
  const sequence = (whole: string, mark: string, given: string, final: string): void => {
    const [first = 0, second = 0] = given.split(";").map(Number);
    const count = Math.max(1, first);
    if (final !== "m" && final !== "h" && final !== "l") willWrap = false;
    if (mark === "?" && final === "h") modes.add(first);
    else if (mark === "?" && final === "l") modes.delete(first);
    else if (final === "A") row = Math.max(top, row - count);
    else if (final === "B") row = Math.min(top + size.rows - 1, row + count);
    else if (final === "C") column = Math.min(size.columns - 1, column + count);
    else if (final === "D") column = Math.max(0, column - count);
    else if (final === "G") column = Math.min(size.columns - 1, count - 1);
    else if (final === "H") {
      row = top + Math.min(size.rows, count) - 1;
      column = Math.min(size.columns, Math.max(1, second)) - 1;
    } else if (final === "K") eraseInLine(first);
    else if (final === "J" && first === 0) eraseBelow();
    else if (final === "J" && first === 2) {
      for (const line of lines.slice(top)) Object.assign(line, emptyRow());
    } else if (final === "J" && first === 3) {
      lines = lines.slice(top);
      row -= top;
      top = 0;
    } else if (final === "m") paint = given.split(";").reduce(painted, paint);
    else unknown.push(whole);
    lineAt(row);
  };

  return {
    write(text) {
      rest += text;
      while (rest !== "") {
        if (rest.startsWith("\u001b")) {
          const match = SEQUENCE.exec(rest);
          if (match === null) {
            if (rest.length < 64) return; // the rest of it comes later
            unknown.push(rest.slice(0, 8));
            rest = rest.slice(1);
            continue;
          }
          const [whole, mark = "", given = "", between = "", final = "", short] = match;
          rest = rest.slice(whole.length);
          if (final !== "" && between === "") sequence(whole, mark, given, final);
          else if (short === undefined && !whole.startsWith("\u001b]")) unknown.push(whole);
          continue;
        }
        const plain = /^[^\u0000-\u001f\u007f]+/.exec(rest)?.[0];
        if (plain === undefined) {
          control(rest.charAt(0));
          rest = rest.slice(1);
          continue;
        }
        for (const { segment } of SEGMENTER.segment(plain)) put(segment);
        rest = rest.slice(plain.length);
      }
    },
    resize(newColumns, newRows) {
      const reflowed = reflow(lines, { row, column }, newColumns);
      const isCursorAtEnd = row === lines.length - 1;
      lines = reflowed.lines;
      row = reflowed.row;
      column = Math.min(reflowed.column, newColumns - 1);
      willWrap = false;
      size = { columns: newColumns, rows: newRows };
      const last = isCursorAtEnd
        ? row
        : Math.max(
            row,
            lines.findLastIndex(({ cells }) => cells.length > 0),
          );
      top = Math.max(0, Math.min(row, last - newRows + 1), row - newRows + 1);
      lineAt(row);
    },
    screen: () => shown(lines.slice(top, top + size.rows)),
    everything: () => shown(lines),
    painted: () => lines.slice(top, top + size.rows).map(piecesOf),
    get cursor() {
      return { row: row - top, column };
    },
    get scrolled() {
      return top;
    },
    modes,
    unknown,
  };
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function emptyRow(): Row {
  return { cells: [], paints: [], isWrapped: false };
}

/** Returns the active codes after one more. */
function painted(paint: string, code: string): string {
  const ends: Readonly<Record<string, RegExp>> = {
    22: /^[12]$/,
    24: /^4$/,
    27: /^7$/,
    39: /^[39]\d$/,
    49: /^4\d$/,
  };
  if (code === "" || code === "0") return "";
  const held = paint.split(" ").filter((each) => each !== "" && ends[code]?.test(each) !== true);
  return [...held, ...(ends[code] === undefined ? [code] : [])].join(" ");
}

function piecesOf({ cells, paints }: Row): PaintedText[] {
  const pieces: { paint: string; text: string; column: number }[] = [];
  cells.forEach((cell, column) => {
    const last = pieces.at(-1);
    const paint = cell === "" ? (last?.paint ?? "") : (paints[column] ?? "");
    if (last?.paint === paint) last.text += cell;
    else pieces.push({ paint, text: cell, column });
  });
  return pieces.filter(({ text }) => text.trim() !== "");
}

function shown(lines: readonly Row[]): string[] {
  const texts = lines.map(({ cells }) => cells.join("").trimEnd());
  return texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
}

function reflow(
  lines: readonly Row[],
  cursor: { readonly row: number; readonly column: number },
  columns: number,
): { lines: Row[]; row: number; column: number } {
  const answer: Row[] = [];
  let at = { row: 0, column: 0 };
  for (let index = 0; index < lines.length; ) {
    const cells: string[] = [];
    let offset: number | undefined;
    for (let more = true; more && index < lines.length; index += 1) {
      const line = lines[index] ?? emptyRow();
      if (index === cursor.row) offset = cells.length + cursor.column;
      cells.push(...line.cells);
      more = line.isWrapped;
    }
    const first = answer.length;
    let current = emptyRow();
    const starts = [0];
    cells.forEach((cell, place) => {
      const width = cells[place + 1] === "" ? 2 : 1;
      if (cell !== "" && current.cells.length + width > columns) {
        current.isWrapped = true;
        answer.push(current);
        current = emptyRow();
        starts.push(place);
      }
      current.cells.push(cell);
    });
    answer.push(current);
    if (offset !== undefined) {
      const part = Math.max(
        0,
        starts.findLastIndex((start) => start <= offset),
      );
      const inside = offset - (starts[part] ?? 0);
      at = { row: first + part + Math.floor(inside / columns), column: inside % columns };
      while (answer.length <= at.row) answer.push(emptyRow());
    }
  }
  return { lines: answer, ...at };
}
