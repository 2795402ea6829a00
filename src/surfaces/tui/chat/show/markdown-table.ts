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

/** A row that is rendered. */
interface RenderedRow {
  readonly cells: readonly string[];
  readonly widths: readonly number[];
  /** Its lines for the last layout. */
  lines?: { readonly layout: string; readonly shown: readonly string[] };
}

/** Renders a table for a window of this width. */
export type RenderTable = (table: MarkdownTable, columns: number) => string[];

/**
 * Returns a function that renders tables with aligned columns. Cells wrap if the table is too wide. A table is rendered again with every
 * piece of a streamed answer, so rows are kept, and only new ones are rendered.
 */
export function createTableRenderer(style: Style): RenderTable {
  const rendered = new WeakMap<readonly string[], RenderedRow>();
  const inline = (cell = ""): string => renderInline(safeText(cell).replaceAll("\n", " "), style);
  const rowOf = (row: readonly string[], count: number): RenderedRow => {
    const known = rendered.get(row);
    if (known !== undefined) return known;
    const cells = Array.from({ length: count }, (_, index) => inline(row[index]));
    const created = { cells, widths: cells.map(lineWidth) };
    rendered.set(row, created);
    return created;
  };
  return ({ header, aligns, rows }, columns) => {
    const titles = rowOf(header, header.length);
    const body = rows.map((row) => rowOf(row, header.length));
    const natural = titles.widths.map((width, index) =>
      body.reduce((most, row) => Math.max(most, row.widths[index] ?? 0), Math.max(1, width)),
    );
    const widths = fitWidths(natural, columns);
    const layout = widths?.join() ?? `list ${columns}`;
    const linesOf = (row: RenderedRow): readonly string[] => {
      if (row.lines?.layout !== layout) {
        const shown =
          widths === undefined
            ? asList(titles.cells, row.cells, columns, style)
            : asLines(row.cells, widths, aligns);
        row.lines = { layout, shown };
      }
      return row.lines.shown;
    };
    const lines = body.flatMap(linesOf);
    if (widths === undefined) return lines;
    const rule = widths.map((width) => "─".repeat(width)).join(" ".repeat(GAP));
    return [...asLines(titles.cells.map(style.bold), widths, aligns), style.dim(rule), ...lines];
  };
}

function asLines(cells: readonly string[], widths: readonly number[], aligns: readonly Align[]): string[] {
  const wrapped = cells.map((cell, index) => wrap(cell, widths[index] ?? 1));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    wrapped
      .map((lines, index) => pad(lines[row] ?? "", widths[index] ?? 1, aligns[index] ?? "left"))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
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
