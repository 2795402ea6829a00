import { cut, lineWidth } from "./wrap.ts";

/** Collapsed texts that can be expanded later. */
export interface FoldedTexts {
  /** Returns the text to print: the whole text, or its start and a hint. */
  fold(text: string, room: FoldRoom, dim: (text: string) => string): string;
  /** Returns the newest collapsed text that was not expanded yet. */
  open(): string | undefined;
}

export interface FoldRoom {
  readonly columns: number;
  /** Longer texts are collapsed. If undefined, no text is collapsed. */
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
      // Show one extra row instead of a hint that takes a row.
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

/** Returns the complete lines that fit into the rows. */
function beginning(lines: readonly string[], columns: number, rows: number): readonly string[] {
  let room = rows;
  const end = lines.findIndex((line) => {
    // Do not measure lines that are certainly too long.
    const width = line.length > columns * room * 16 ? Infinity : lineWidth(line);
    room -= Math.max(1, Math.ceil(width / columns));
    return room < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
