import type { Key } from "./key.ts";

/** Rows to show, and the position of the cursor. */
export interface View {
  readonly rows: readonly string[];
  readonly cursor?: { readonly row: number; readonly column: number };
}

/** A part at the bottom of the screen that handles keys. */
export interface Panel {
  /** See `Question.isUnexpected`. */
  readonly isUnexpected?: boolean;
  /** Renders the panel, in at most `rows` rows if possible. */
  view(columns: number, rows: number): View;
  /** Handles a key. Returns `false` if the key has no binding. */
  handle(key: Key): boolean;
}

/** Returns the index of the first visible item, so that the chosen item is visible. */
export function firstShown(length: number, room: number, chosen: number): number {
  return Math.max(0, Math.min(chosen - Math.floor(room / 2), length - room));
}
