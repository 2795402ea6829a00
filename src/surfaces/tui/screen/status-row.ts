import type { Style } from "../../shared/render/style.ts";
import { cleanText } from "./clean-text.ts";
import { cut, lineWidth } from "./wrap.ts";

const MARGIN = 2;

export interface StatusParts {
  /** Forms of the same text, the longest first. The first that fits is shown. */
  readonly left: readonly string[];
  /** Shown if there is room. */
  readonly right: string;
}

/** Renders the bottom row, with an empty row above it. */
export function statusRow(parts: StatusParts, columns: number, style: Style): string[] {
  const room = columns - 2 * MARGIN;
  const forms = parts.left.map(cleanText);
  const left = forms.find((form) => lineWidth(form) <= room) ?? forms.at(-1) ?? "";
  const right = cleanText(parts.right);
  if (left === "" && right === "") return [""];
  const blanks = room - lineWidth(left) - lineWidth(right);
  const isWide = right !== "" && blanks >= 2;
  const text = isWide ? `${left}${" ".repeat(blanks)}${style.dim(right)}` : cut(left, room);
  return ["", `${" ".repeat(MARGIN)}${text}`];
}
