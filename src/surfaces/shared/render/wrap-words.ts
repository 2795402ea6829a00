import { displayWidth } from "./table.ts";

/** Wraps text between words. A word that is longer than a row gets a row of its own, so that it can be copied. */
export function wrapWords(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => {
    const rows: string[] = [];
    let row = "";
    for (const word of line.split(" ").filter((part) => part !== "")) {
      const longer = row === "" ? word : `${row} ${word}`;
      if (row !== "" && displayWidth(longer) > columns) {
        rows.push(row);
        row = word;
      } else row = longer;
    }
    return [...rows, row];
  });
}

/** Wraps text and indents every row. */
export function wrapIndented(text: string, columns: number, indent: number): string[] {
  const margin = " ".repeat(indent);
  return wrapWords(text, Math.max(20, columns - indent)).map((row) => `${margin}${row}`.trimEnd());
}
