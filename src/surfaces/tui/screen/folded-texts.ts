/** Long texts of which only the beginning was printed. */
export interface FoldedTexts {
  /** What to print of it: all, or its first lines and how to see the rest. */
  fold(text: string, after: number | undefined, dim: (text: string) => string): string;
  /** The newest that was not opened yet. */
  open(): string | undefined;
}

const MOST_KEPT = 20;
const MOST_LETTERS_KEPT = 2_000_000;

export function createFoldedTexts(): FoldedTexts {
  let kept: string[] = [];
  return {
    fold(text, after, dim) {
      const lines = text.replace(/\n$/, "").split("\n");
      // One line more than fits is shown rather than announced.
      if (after === undefined || lines.length <= after + 1) return text;
      kept = [...kept, text.slice(0, MOST_LETTERS_KEPT)].slice(-MOST_KEPT);
      const more = lines.length - after;
      return [...lines.slice(0, after), dim(`  … ${more} more lines, Ctrl+O opens`)].join("\n");
    },
    open: () => kept.pop(),
  };
}
