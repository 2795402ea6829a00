/** Returns a Markdown table. Escapes `|`, and puts `<word>` into code so that it is not read as a tag. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

export function inCell(text: string): string {
  return text
    .replaceAll("|", "\\|")
    .replace(/`[^`]*`|[^\s`]*<[^>\s]+>[^\s`]*/g, (part) => (part.startsWith("`") ? part : `\`${part}\``));
}
