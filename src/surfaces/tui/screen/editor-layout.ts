import { graphemes, letterWidth, widthOf } from "./text-width.ts";
import { cut } from "./wrap.ts";

/** One visible row of the edited text. */
export interface EditorRow {
  /** The range of the text in this row, without a final line break. */
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

export interface EditorLayout {
  readonly rows: readonly EditorRow[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Returns the text shown in place of a character, or `undefined` to show the character itself. */
export type Shown = (letter: string) => string | undefined;

/** Breaks the text into rows. One column is reserved for the cursor after the last character. */
export function layoutText(text: string, cursor: number, columns: number, shownAs: Shown): EditorLayout {
  const room = Math.max(1, columns - 1);
  const rows: EditorRow[] = [];
  let start = 0;
  let shown = "";
  let width = 0;
  let index = 0;
  let place = { row: 0, column: 0 };
  const finish = (end: number, next: number): void => {
    rows.push({ start, end, shown });
    start = next;
    shown = "";
    width = 0;
  };
  for (const letter of graphemes(text)) {
    const isLineEnd = letter === "\n";
    const own = isLineEnd ? "" : cut(shownAs(letter) ?? letter, room);
    const ownWidth = isLineEnd ? 0 : own === letter ? letterWidth(letter) : widthOf(own);
    if (width + ownWidth > room && width > 0) finish(index, index);
    if (index <= cursor) place = { row: rows.length, column: width };
    index += letter.length;
    if (isLineEnd) finish(index - letter.length, index);
    else {
      shown += own;
      width += ownWidth;
    }
  }
  if (index <= cursor) place = { row: rows.length, column: width };
  finish(index, index);
  return { rows, cursor: place };
}

/** Returns the text index at a column of a row, or the nearest one. */
export function indexAt(text: string, row: EditorRow, column: number, shownAs: Shown): number {
  let width = 0;
  let index = row.start;
  for (const letter of graphemes(text.slice(row.start, row.end))) {
    width += widthOf(shownAs(letter) ?? letter);
    if (width > column) break;
    index += letter.length;
  }
  return index;
}
