import { safeText } from "../../../../terminal.ts";
import type { Style } from "../../../shared/render/style.ts";
import { createHighlighter, type PaintCode } from "./highlight.ts";
import { renderInline } from "./inline.ts";
import { createTableRenderer, type MarkdownTable, tableAligns, tableCells } from "./markdown-table.ts";

/** Renders Markdown line by line, so that complete lines can be printed while the answer streams. */
export interface MarkdownLines {
  /** Renders a complete line. Returns the lines that cannot change any more: none for a row of a table, which may get wider. */
  take(line: string): string[];
  /** Renders what is not returned yet, with an incomplete line at the end. */
  preview(line: string): string[];
  /** Returns the rest. */
  end(): string[];
}

/** Longer tables are printed in several parts, to limit the memory. */
const MOST_ROWS = 100;
const BULLETS = ["•", "◦", "▪"];

/** A part of the text that more than one line belongs to. */
type Block =
  | { readonly kind: "code"; readonly fence: string; readonly paint: PaintCode }
  /** A line that becomes the header of a table if a delimiter row follows. */
  | { readonly kind: "header"; readonly line: string; readonly cells: readonly string[] }
  | ({ readonly kind: "table" } & MarkdownTable);

export function createMarkdownLines(style: Style, columns: () => number): MarkdownLines {
  let block: Block | undefined;
  const renderTable = createTableRenderer(style);
  const flush = (): string[] => {
    const ended = block;
    block = undefined;
    if (ended?.kind === "header") return [renderLine(ended.line, style)];
    return ended?.kind === "table" ? renderTable(ended, columns()) : [];
  };
  const takeInBlock = (open: Block, line: string): string[] | undefined => {
    if (open.kind === "code") {
      if (!isClosing(line, open.fence)) return [`  ${open.paint(clean(line))}`];
      block = undefined;
      return [];
    }
    if (open.kind === "header") {
      const aligns = tableAligns(line);
      if (aligns?.length !== open.cells.length) return undefined;
      block = { kind: "table", header: open.cells, aligns, rows: [] };
      return [];
    }
    const cells = tableCells(line);
    if (cells === undefined) return undefined;
    const printed = open.rows.length < MOST_ROWS ? [] : renderTable(open, columns());
    block = { ...open, rows: printed.length > 0 ? [cells] : [...open.rows, cells] };
    return printed;
  };
  const takeNew = (line: string): string[] => {
    const [, fence, language = ""] = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/.exec(line) ?? [];
    if (fence !== undefined) {
      block = { kind: "code", fence, paint: createHighlighter(language, style) };
      return language === "" ? [] : [style.dim(`  ${safeText(language)}`)];
    }
    const cells = tableCells(line);
    if (cells === undefined) return [renderLine(line, style)];
    block = { kind: "header", line, cells };
    return [];
  };
  return {
    take(line) {
      const inside = block && takeInBlock(block, line);
      return inside ?? [...flush(), ...takeNew(line)];
    },
    preview(line) {
      if (block?.kind === "code")
        return line === "" || isClosing(line, block.fence) ? [] : [`  ${clean(line)}`];
      const cells = line === "" ? undefined : tableCells(line);
      const partial = line === "" || /^ {0,3}[`~]{3}/.test(line) ? [] : [renderLine(line, style)];
      if (block?.kind === "header") return [renderLine(block.line, style), ...partial];
      if (block?.kind !== "table") return partial;
      const rows = cells === undefined ? block.rows : [...block.rows, cells];
      const shown = renderTable({ ...block, rows }, columns());
      return cells === undefined ? [...shown, ...partial] : shown;
    },
    end: flush,
  };
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && [...text].every((letter) => letter === fence[0]);
}

function clean(raw: string): string {
  return safeText(raw.replace(/\r$/, "")).replaceAll("\t", "    ");
}

function renderLine(raw: string, style: Style): string {
  const line = clean(raw);
  const heading = /^ {0,3}#{1,6}\s+(.*)$/.exec(line)?.[1];
  if (heading !== undefined) return style.bold(withoutClosing(heading).replaceAll(/\*\*|__/g, ""));
  if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return style.dim("───");
  const [, indent = "", bullet, item = ""] = /^(\s*)([-*+])\s+(.*)$/.exec(line) ?? [];
  if (bullet !== undefined) return `${indent}${bulletAt(indent.length)} ${renderInline(asTask(item), style)}`;
  const quote = /^\s*>\s?(.*)$/.exec(line)?.[1];
  return quote === undefined ? renderInline(line, style) : style.dim(`│ ${quote.replaceAll("**", "")}`);
}

/** Returns the bullet for an indentation of two or three spaces per level. */
function bulletAt(indent: number): string {
  return BULLETS[Math.min(BULLETS.length - 1, Math.floor(indent / 2))] ?? "•";
}

function asTask(item: string): string {
  return item.replace(/^\[([ xX])\]\s+/, (_, mark: string) => (mark === " " ? "☐ " : "☑ "));
}

/** Removes the closing `#` characters of a heading. */
function withoutClosing(heading: string): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}
