import { safeLine, truncate } from "../../../terminal.ts";
import type { Style } from "../../shared/render/style.ts";
import type { Completions } from "../line-handler.ts";
import { firstShown } from "./view.ts";
import { cut, lineWidth } from "./wrap.ts";

/** A menu of completions with one selected item. */
export interface CompletionMenu {
  readonly from: number;
  /** The text of the selected item. */
  readonly chosen: string;
  /** The common prefix of all items. */
  readonly beginning: string;
  readonly length: number;
  /** Whether the user moved the selection. Enter then accepts the item. */
  readonly wasMoved: boolean;
  move(step: number): void;
  view(columns: number, rows: number, style: Style): string[];
}

const MARGIN = 2;

/** On a slow line, a menu is small: a key press sends at most 300 bytes. */
const COMPACT_ROWS = 3;
const COMPACT_WIDTH = 24;

/** Returns `undefined` if there are no items. With `isCompact`, the items have no notes. */
export function createCompletionMenu(
  { from, items }: Completions,
  isCompact = false,
): CompletionMenu | undefined {
  if (items.length === 0) return undefined;
  let chosen = 0;
  let wasMoved = false;
  const textAt = (index: number): string => items[index]?.text ?? "";
  return {
    from,
    get chosen() {
      return textAt(chosen);
    },
    beginning: items.map(({ text }) => text).reduce(sharedBeginning),
    length: items.length,
    get wasMoved() {
      return wasMoved;
    },
    move(step) {
      chosen = (chosen + step + items.length) % items.length;
      wasMoved = true;
    },
    view(columns, rows, style) {
      const room = Math.max(1, isCompact ? Math.min(rows, COMPACT_ROWS) : rows);
      const first = firstShown(items.length, room, chosen);
      const shown = items.slice(first, first + room);
      /** Servers name some of the items, and a row shows only their beginning. */
      const clean = (text: string): string => safeLine(truncate(text, 4 * columns));
      if (isCompact)
        return shown.map(({ text }, index) => {
          const name = cut(clean(text), Math.min(COMPACT_WIDTH, columns - MARGIN));
          return first + index === chosen ? style.name(`› ${name}`) : `${" ".repeat(MARGIN)}${name}`;
        });
      const widest = Math.max(...shown.map(({ text }) => lineWidth(clean(text))));
      const width = Math.min(widest, Math.max(8, Math.floor(columns * 0.6)));
      return shown.map(({ text, note = "" }, index) => {
        const isChosen = first + index === chosen;
        const name = cut(clean(text), width);
        const padded = `${name}${" ".repeat(Math.max(0, width - lineWidth(name)))}`;
        const line = isChosen ? style.name(`› ${padded}`) : `${" ".repeat(MARGIN)}${padded}`;
        return cut(`${line}  ${style.dim(clean(note))}`, columns).trimEnd();
      });
    },
  };
}

function sharedBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
