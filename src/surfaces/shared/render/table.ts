/** A table cell. `paint` is applied after the width is measured. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Aligns the columns with two spaces between them. The last column is not padded. */
export function renderTable(rows: readonly (readonly Cell[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, { text }] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, displayWidth(text));
  }
  return rows.map((row) =>
    row
      .map(({ text, paint = (plain) => plain }, index) => {
        const padding = index === row.length - 1 ? "" : " ".repeat((widths[index] ?? 0) - displayWidth(text));
        return `${paint(text)}${padding}`;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Returns the width in columns. East Asian wide characters and emoji take two. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
