import type { LiveBlock, PrintOptions } from "../screen.ts";
import { cleanText } from "./clean-text.ts";
import { wrap } from "./wrap.ts";

/** The open live blocks, in the order they were opened. */
export interface LiveRegion {
  openBlock(): LiveBlock;
  /** Returns at most `room` of the last rows. */
  rows(columns: number, room: number): string[];
}

interface Block {
  lines: readonly string[];
  /** The cached rows, with the width and room they were made for. */
  made?: { readonly key: string; readonly rows: readonly string[] };
}

export function createLiveRegion(
  print: (text: string, options?: PrintOptions) => void,
  onChange: () => void,
): LiveRegion {
  const blocks = new Set<Block>();
  /** Wraps only the visible end of a block. */
  const rowsOf = (block: Block, columns: number, room: number): readonly string[] => {
    const key = `${columns}×${room}`;
    if (block.made?.key !== key) {
      const lines = block.lines.slice(-room).map((line) => line.slice(-columns * room * 4));
      block.made = { key, rows: lines.flatMap((line) => wrap(cleanText(line), columns)).slice(-room) };
    }
    return block.made.rows;
  };
  return {
    openBlock() {
      const block: Block = { lines: [] };
      blocks.add(block);
      return {
        show(lines) {
          block.lines = lines;
          delete block.made;
          onChange();
        },
        end(text, options) {
          if (!blocks.delete(block)) return;
          if (text !== undefined && text !== "") print(text, options);
          onChange();
        },
      };
    },
    rows(columns, room) {
      if (room <= 0) return [];
      return [...blocks].flatMap((block) => rowsOf(block, columns, room)).slice(-room);
    },
  };
}
