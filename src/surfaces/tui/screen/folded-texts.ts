import { cut, lineWidth } from "./wrap.ts";

/** Long texts of which only the beginning was printed. */
export interface FoldedTexts {
  /** What to print of it: all, or as much of its beginning as fits and how to see the rest. */
  fold(text: string, room: FoldRoom, dim: (text: string) => string): string;
  /** The newest that was not opened yet. */
  open(): string | undefined;
}

export interface FoldRoom {
  readonly columns: number;
  /** More rows than these are folded; without it none are. */
  readonly rows: number | undefined;
}

const MOST_KEPT = 20;
const MOST_LETTERS_KEPT = 2_000_000;

export function createFoldedTexts(): FoldedTexts {
  let kept: string[] = [];
  return {
    fold(text, { columns, rows }, dim) {
      if (rows === undefined) return text;
      const lines = text.replace(/\n$/, "").split("\n");
      // One row more than fits is shown rather than announced.
      if (beginning(lines, columns, rows + 1).length === lines.length) return text;
      const shown = beginning(lines, columns, rows);
      const more = lines.length - shown.length;
      kept = [...kept, text.slice(0, MOST_LETTERS_KEPT)].slice(-MOST_KEPT);
      const rest =
        shown.length === 0 ? cut(lines[0]?.slice(0, columns * rows * 4) ?? "", columns * rows) : "";
      const what = rest === "" ? `${more} more ${more === 1 ? "line" : "lines"}` : "more";
      return [...shown, ...(rest === "" ? [] : [rest]), dim(`  … ${what}, Ctrl+O expands`)].join("\n");
    },
    open: () => kept.pop(),
  };
}

/** The whole lines that fit into so many rows. */
function beginning(lines: readonly string[], columns: number, rows: number): readonly string[] {
  let room = rows;
  const end = lines.findIndex((line) => {
    // A line far too long is not measured to its end.
    const width = line.length > columns * room * 16 ? Infinity : lineWidth(line);
    room -= Math.max(1, Math.ceil(width / columns));
    return room < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
