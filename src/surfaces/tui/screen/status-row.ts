import type { Style } from "../../shared/render/style.ts";
import { cleanText } from "./clean-text.ts";
import { cut, lineWidth } from "./wrap.ts";

const MARGIN = 2;

export interface StatusParts {
  /** Forms of the same text, the longest first. The first that fits is shown. */
  readonly left: readonly string[];
  /** Forms of another text, the longest first. Shown if there is room for one of them. */
  readonly right: readonly string[];
}

/** Renders the bottom row, with an empty row above it. */
export function statusRow(parts: StatusParts, columns: number, style: Style): string[] {
  const room = columns - 2 * MARGIN;
  const forms = parts.left.map(cleanText);
  const left = forms.find((form) => lineWidth(form) <= room) ?? forms.at(-1) ?? "";
  const others = parts.right.map(cleanText).filter((form) => form !== "");
  if (left === "" && others.length === 0) return [""];
  const right = others.find((form) => lineWidth(left) + lineWidth(form) + 2 <= room);
  const blanks = " ".repeat(Math.max(0, room - lineWidth(left) - lineWidth(right ?? "")));
  const text = right === undefined ? cut(left, room) : `${left}${blanks}${style.dim(right)}`;
  return ["", `${" ".repeat(MARGIN)}${text}`];
}
