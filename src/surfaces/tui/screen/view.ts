import type { Key } from "./key.ts";

/** Rows to be seen, and where the cursor stands in them. */
export interface View {
  readonly rows: readonly string[];
  readonly cursor?: { readonly row: number; readonly column: number };
}

/** Something that is seen at the bottom of the screen and takes keys. */
export interface Panel {
  /** It came up by itself; see `Question.isUnexpected`. */
  readonly isUnexpected?: boolean;
  /** In at most so many rows, if that is possible at all. */
  view(columns: number, rows: number): View;
  /** Takes the key if it means something here. */
  handle(key: Key): boolean;
}

/** Where a list of so many has to begin to be seen in so many rows with the chosen one among them. */
export function firstShown(length: number, room: number, chosen: number): number {
  return Math.max(0, Math.min(chosen - Math.floor(room / 2), length - room));
}
