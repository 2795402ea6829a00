import { lineWidth } from "./wrap.ts";

/** What is to be seen below the finished text. */
export interface Frame {
  /** Rows that fit into the columns; at least one. */
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly isCursorShown: boolean;
}

export interface Painter {
  /** What to write so that the finished text and, below it, the frame are seen. Empty where nothing changed. */
  paint(printed: string, frame: Frame, columns: number): string;
  /** What to write so that the terminal goes on below the finished text. */
  leave(): string;
}

const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";
const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";
const CLEAR_BELOW = "\u001b[J";
const CLEAR_LINE = "\u001b[K";
const NOTHING: Frame = { rows: [""], cursor: { row: 0, column: 0 }, isCursorShown: true };

/** Knows what was painted last, and repaints only what differs. */
export function createPainter(): Painter {
  let before = NOTHING;
  let widthBefore: number | undefined;

  const down = (rows: number): string => (rows > 0 ? `\u001b[${rows}B` : "");
  const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : "");
  const right = (columns: number): string => (columns > 0 ? `\u001b[${columns}C` : "");
  const rowText = (row: string, columns: number): string =>
    // A full row leaves the cursor in its last column, where clearing would take its last letter.
    lineWidth(row) < columns ? `${row}${CLEAR_LINE}` : row;

  /** Terminals break rows anew when they get narrower; the cursor is then further below the first one. */
  const cursorRow = (columns: number): number => {
    if (widthBefore === undefined || columns >= widthBefore) return before.cursor.row;
    const rowsOf = (row: string): number => Math.max(1, Math.ceil(lineWidth(row) / columns));
    const above = before.rows.slice(0, before.cursor.row).reduce((sum, row) => sum + rowsOf(row), 0);
    return above + Math.floor(before.cursor.column / columns);
  };

  const repaint = (printed: string, frame: Frame, columns: number): string => {
    const lines = printed === "" ? [] : printed.replace(/\n$/, "").split("\n");
    const rows = frame.rows.map((row) => rowText(row, columns));
    return `\r${up(cursorRow(columns))}${CLEAR_BELOW}${[...lines, ...rows].join("\r\n")}`;
  };

  /** The rows that differ, each where it is. Leaves the cursor in the row that is answered. */
  const patch = (frame: Frame, columns: number): { text: string; row: number } => {
    let text = "";
    let at = before.cursor.row;
    const go = (row: number): string => (row < at ? up(at - row) : down(row - at));
    frame.rows.forEach((row, index) => {
      if (index < before.rows.length) {
        if (row === before.rows[index]) return;
        text += `${go(index)}\r${rowText(row, columns)}`;
      } else {
        text += `${go(index - 1)}\r\n${rowText(row, columns)}`;
      }
      at = index;
    });
    if (frame.rows.length < before.rows.length) {
      text += `${go(frame.rows.length)}\r${CLEAR_BELOW}`;
      at = frame.rows.length;
    }
    return { text, row: at };
  };

  return {
    paint(printed, frame, columns) {
      const isAfresh = printed !== "" || widthBefore !== columns;
      const body = isAfresh
        ? { text: repaint(printed, frame, columns), row: frame.rows.length - 1 }
        : patch(frame, columns);
      const isSamePlace =
        before.cursor.row === frame.cursor.row && before.cursor.column === frame.cursor.column;
      const isSame = body.text === "" && isSamePlace && before.isCursorShown === frame.isCursorShown;
      before = frame;
      widthBefore = columns;
      if (isSame) return "";
      const { row, column } = frame.cursor;
      const home = `${row < body.row ? up(body.row - row) : down(row - body.row)}\r${right(column)}`;
      return `${BEGIN}${HIDE}${body.text}${home}${frame.isCursorShown ? SHOW : ""}${END}`;
    },
    leave() {
      const { cursor } = before;
      before = NOTHING;
      widthBefore = undefined;
      return `\r${up(cursor.row)}${CLEAR_BELOW}${SHOW}`;
    },
  };
}
