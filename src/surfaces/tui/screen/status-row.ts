import type { Style } from "../../cli/render/style.ts";
import { cleanText } from "./clean-text.ts";
import { cut, lineWidth } from "./wrap.ts";

const MARGIN = 2;

/** The row at the bottom: the left part as long as it is, the right one where there is room. None where both are empty. */
export function statusRow(
  parts: { readonly left: string; readonly right: string },
  columns: number,
  style: Style,
): string[] {
  const left = cleanText(parts.left);
  const right = cleanText(parts.right);
  if (left === "" && right === "") return [""];
  const room = columns - 2 * MARGIN;
  const blanks = room - lineWidth(left) - lineWidth(right);
  const isWide = right !== "" && blanks >= 2;
  const text = isWide ? `${left}${" ".repeat(blanks)}${style.dim(right)}` : cut(left, room);
  return ["", `${" ".repeat(MARGIN)}${text}`];
}
