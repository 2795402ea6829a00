import { safeText, truncate } from "../../../../terminal.ts";
import type { Style } from "../../../shared/render/style.ts";
import { lineWidth, wrap } from "../../screen/wrap.ts";
import { renderInline } from "./inline.ts";

/** A Markdown table as written. */
export interface MarkdownTable {
  readonly header: readonly string[];
  readonly aligns: readonly Align[];
  readonly rows: readonly (readonly string[])[];
}

type Align = "left" | "right" | "center";

const GAP = 2;
/** A column is not made narrower than this. If the table still does not fit, each row becomes a list. */
const LEAST_WIDTH = 6;
const MOST_CELLS = 50;
const MOST_LETTERS = 1_000;

/** Returns the cells of a row; `undefined` if the line is not a row. */
export function tableCells(line: string): string[] | undefined {
  const text = line.trim();
  if (!text.includes("|")) return undefined;
  const cells: string[] = [""];
  let isCode = false;
  for (let index = text.startsWith("|") ? 1 : 0; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (letter === "\\" && text[index + 1] === "|") index += 1;
    else if (letter === "`") isCode = !isCode;
    if (letter === "|" && !isCode) cells.push("");
    else cells[cells.length - 1] += text.charAt(index);
  }
  if (text.endsWith("|") && cells.at(-1) === "") cells.pop();
  return cells.slice(0, MOST_CELLS).map((cell) => truncate(cell.trim(), MOST_LETTERS));
}

/** Returns the alignments that the line below a header declares; `undefined` if it is another line. */
export function tableAligns(line: string): Align[] | undefined {
  const cells = tableCells(line);
  if (cells === undefined || !cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    if (!cell.endsWith(":")) return "left";
    return cell.startsWith(":") ? "center" : "right";
  });
}

/** Renders a table with aligned columns. Cells wrap if the table is too wide. */
export function renderMarkdownTable(
  { header, aligns, rows }: MarkdownTable,
  columns: number,
  style: Style,
): string[] {
  const inline = (cell = ""): string => renderInline(safeText(cell).replaceAll("\n", " "), style);
  const titles = header.map((cell) => inline(cell));
  const body = rows.map((row) => titles.map((_, index) => inline(row[index])));
  const widths = fitWidths(
    titles.map((title, index) =>
      Math.max(1, ...[title, ...body.map((row) => row[index] ?? "")].map(lineWidth)),
    ),
    columns,
  );
  if (widths === undefined) return body.flatMap((row) => asList(titles, row, columns, style));
  const line = (cells: readonly string[]): string[] => {
    const wrapped = cells.map((cell, index) => wrap(cell, widths[index] ?? 1));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, row) =>
      wrapped
        .map((lines, index) => pad(lines[row] ?? "", widths[index] ?? 1, aligns[index] ?? "left"))
        .join(" ".repeat(GAP))
        .trimEnd(),
    );
  };
  const rule = widths.map((width) => "─".repeat(width)).join(" ".repeat(GAP));
  return [...line(titles.map(style.bold)), style.dim(rule), ...body.flatMap(line)];
}

/** Makes the widest columns narrower until the table fits; `undefined` if it cannot. */
function fitWidths(natural: readonly number[], columns: number): number[] | undefined {
  const room = columns - GAP * (natural.length - 1);
  let most = Math.max(...natural);
  const fitted = (): number[] => natural.map((width) => Math.min(width, most));
  while (fitted().reduce((sum, width) => sum + width, 0) > room) {
    most -= 1;
    if (most < LEAST_WIDTH) return undefined;
  }
  return fitted();
}

function asList(titles: readonly string[], row: readonly string[], columns: number, style: Style): string[] {
  const lines = row.flatMap((cell, index) => {
    if (cell === "") return [];
    return wrap(`${style.bold(titles[index] ?? "")}: ${cell}`, columns, { indent: 2 });
  });
  return [...lines, ""];
}

function pad(text: string, width: number, align: Align): string {
  const blanks = Math.max(0, width - lineWidth(text));
  const before = align === "right" ? blanks : align === "center" ? Math.floor(blanks / 2) : 0;
  return `${" ".repeat(before)}${text}${" ".repeat(blanks - before)}`;
}
