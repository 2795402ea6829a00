/* oxlint-disable no-control-regex -- control characters are what this is about */
import { colourAfter, lineWidth } from "./wrap.ts";

/** The rows shown below the finished text. */
export interface Frame {
  /** At least one row. Each row fits into the terminal's width. */
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly isCursorShown: boolean;
}

export interface Painter {
  /** Returns the output that prints the finished text with the frame below it. Empty if nothing changed. */
  paint(printed: string, frame: Frame, columns: number): string;
  /** Returns the output that removes the frame and puts the cursor below the finished text. */
  leave(): string;
}

const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";
const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";
const CLEAR_BELOW = "\u001b[J";
const CLEAR_LINE = "\u001b[K";
const COLOUR = /\u001b\[[0-9;]*m/g;
const NOTHING: Frame = { rows: [""], cursor: { row: 0, column: 0 }, isCursorShown: true };

/** Remembers the last frame and repaints only the changed rows. */
export function createPainter(): Painter {
  let before = NOTHING;
  let widthBefore: number | undefined;

  const down = (rows: number): string => (rows > 0 ? `\u001b[${rows}B` : "");
  const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : "");
  const right = (columns: number): string => (columns > 0 ? `\u001b[${columns}C` : "");
  const rowText = (row: string, columns: number): string => {
    const width = lineWidth(row);
    // The terminal wraps a longer line, perhaps before the end of a row.
    if (width > columns) return `${CLEAR_BELOW}${row}`;
    // After a full row the cursor stays in the last column, and clearing would delete the last character.
    return width === columns ? row : `${row}${CLEAR_LINE}`;
  };
  /** Returns the output that changes a row, without the beginning that stays the same. */
  const changeRow = (row: string, old: string, columns: number): string => {
    const same = sharedBeginning(row, old);
    const rest = `${colourAfter(same)}${row.slice(same.length)}`;
    return `\r${right(lineWidth(same))}${lineWidth(row) < columns ? `${rest}${CLEAR_LINE}` : rest}`;
  };

  /** Returns the cursor's row. When a terminal gets narrower, it wraps rows again and the cursor moves down. */
  const cursorRow = (columns: number): number => {
    if (widthBefore === undefined || columns >= widthBefore) return before.cursor.row;
    const rowsOf = (row: string): number => Math.max(1, Math.ceil(lineWidth(row) / columns));
    const above = before.rows.slice(0, before.cursor.row).reduce((sum, row) => sum + rowsOf(row), 0);
    return above + Math.floor(before.cursor.column / columns);
  };

  const repaint = (printed: string, frame: Frame, columns: number): string => {
    const lines = printed === "" ? [] : printed.replace(/\n$/, "").split("\n");
    const rows = [...lines, ...frame.rows].map((row) => rowText(row, columns));
    const last = rows.pop() ?? "";
    // Each row is overwritten. A screen that is cleared first flickers on terminals without synchronized output.
    return `\r${up(cursorRow(columns))}${rows.map((row) => `${row}\r\n`).join("")}${CLEAR_BELOW}${last}`;
  };

  /** Repaints the changed rows. Returns the output and the row of the cursor. */
  const patch = (frame: Frame, columns: number): { text: string; row: number } => {
    let text = "";
    let at = before.cursor.row;
    const go = (row: number): string => (row < at ? up(at - row) : down(row - at));
    frame.rows.forEach((row, index) => {
      if (index < before.rows.length) {
        if (row === before.rows[index]) return;
        text += `${go(index)}${changeRow(row, before.rows[index] ?? "", columns)}`;
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
      const mustRepaint = printed !== "" || widthBefore !== columns;
      const body = mustRepaint
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

/** The characters that every terminal shows in one column. */
const NARROW = /^[ -~›●◌○✗✓·…•┆│─↑↓◼◻]*$/;

/** Returns the beginning that two rows share, if the cursor can be moved behind it on every terminal. */
function sharedBeginning(row: string, old: string): string {
  let length = 0;
  while (length < row.length && row[length] === old[length]) length += 1;
  // Not inside a colour, and not before a character that joins the one before it.
  while (
    length > 0 &&
    !(isPlain(row[length - 1]) && isPlain(row[length] ?? " ") && isPlain(old[length] ?? " "))
  )
    length -= 1;
  const same = row.slice(0, length);
  const isInColour = same.lastIndexOf("\u001b") > same.lastIndexOf("m");
  return !isInColour && NARROW.test(same.replaceAll(COLOUR, "")) ? same : "";
}

function isPlain(letter = ""): boolean {
  return letter >= " " && letter <= "~";
}
