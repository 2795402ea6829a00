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

/** Wraps a shell line so that it can still be copied: rows end with a backslash. A comment at its end gets a row above it. */
export function wrapShellLine(line: string, columns: number, indent: number): string[] {
  const margin = " ".repeat(indent);
  if (displayWidth(line) + indent <= columns) return [`${margin}${line}`];
  const [, command = line, comment] = /^(.*?\S)\s+(# .*)$/.exec(line) ?? [];
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [command];
  const rows: string[] = [];
  for (const word of words) {
    const last = rows.at(-1);
    const longer = last === undefined ? `${margin}${word}` : `${last} ${word}`;
    if (last === undefined) rows.push(longer);
    else if (displayWidth(longer) <= columns - 2) rows[rows.length - 1] = longer;
    else rows.push(`${margin}  ${word}`);
  }
  const broken = rows.map((row, index) => (index === rows.length - 1 ? row : `${row} \\`));
  return comment === undefined ? broken : [...wrapIndented(comment, columns, indent), ...broken];
}
