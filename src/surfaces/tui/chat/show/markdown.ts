import { safeText } from "../../../../terminal.ts";
import type { Style } from "../../../shared/render/style.ts";

/** Renders simple Markdown line by line, so that complete lines can be printed while the answer streams. */
export interface MarkdownLines {
  /** Renders a complete line. Returns `undefined` for a line that only closes a block. */
  take(line: string): string | undefined;
  /** Renders an incomplete line. */
  preview(line: string): string | undefined;
}

export function createMarkdownLines(style: Style): MarkdownLines {
  /** The fence of the open code block. */
  let fence: string | undefined;
  return {
    take(line) {
      const shown = render(line, fence, style);
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark !== undefined && fence === undefined) fence = mark;
      else if (fence !== undefined && isClosing(line, fence)) fence = undefined;
      return shown;
    },
    preview: (line) => render(line, fence, style),
  };
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && [...text].every((letter) => letter === fence[0]);
}

function render(raw: string, fence: string | undefined, style: Style): string | undefined {
  const line = safeText(raw.replace(/\r$/, "")).replaceAll("\t", "    ");
  if (fence !== undefined) return isClosing(line, fence) ? undefined : `  ${style.name(line)}`;
  const language = /^ {0,3}(?:`{3,}|~{3,})\s*(.*)$/.exec(line)?.[1];
  if (language !== undefined) return language === "" ? undefined : style.dim(`  ${language}`);
  const heading = /^ {0,3}#{1,6}\s+(.*)$/.exec(line)?.[1];
  if (heading !== undefined) return style.bold(withoutClosing(heading).replaceAll(/\*\*|__/g, ""));
  if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return style.dim("───");
  const [, indent = "", bullet, item = ""] = /^(\s*)([-*+])\s+(.*)$/.exec(line) ?? [];
  if (bullet !== undefined) return `${indent}• ${inline(item, style)}`;
  const quote = /^\s*>\s?(.*)$/.exec(line)?.[1];
  return quote === undefined ? inline(line, style) : style.dim(`│ ${quote}`);
}

/** Removes the closing `#` characters of a heading. */
function withoutClosing(heading: string): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}

/** Renders code, bold and emphasis. Unclosed markers stay unchanged. */
function inline(line: string, style: Style): string {
  return line
    .split(/(`[^`]+`)/)
    .map((piece) =>
      /^`[^`]+`$/.test(piece)
        ? style.name(piece.slice(1, -1))
        : piece
            .replaceAll(/\*\*([^*]+)\*\*/g, (_, text: string) => style.bold(text))
            .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, (_, text: string) => text),
    )
    .join("");
}
