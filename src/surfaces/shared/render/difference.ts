import type { JsonValue } from "../../../index.ts";
import { safeText } from "../../../terminal.ts";
import type { Style } from "./style.ts";

/** A line of the old text, the new text, or both. */
export interface DifferenceLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/** If there are more pairs of lines to compare, the changed part is shown as fully replaced. */
const MOST_PAIRS = 4_000_000;

/** Compares two texts line by line and returns a minimal diff. */
export function compareLines(before: string, after: string): DifferenceLine[] {
  const [left, right] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return [
    ...as("same", left.slice(0, start)),
    ...compareMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...as("same", left.slice(left.length - end)),
  ];
}

/** Renders the changes with context in the format of `diff -u`. Returns an empty list if there are none. */
export function renderDifference(before: string, after: string, style: Style): string[] {
  const lines = compareLines(before, after);
  return hunksOf(lines).flatMap(({ start, end }) => {
    const above = lines.slice(0, start);
    const inside = lines.slice(start, end);
    return [
      style.dim(`@@ -${rangeOf("added", above, inside)} +${rangeOf("removed", above, inside)} @@`),
      ...inside.map((line) => renderLine(line, style)),
    ];
  });
}

/** Renders how an entry changes, as JSON with one member per line. A new entry has no `before`. */
export function renderEntryDifference(
  before: JsonValue | undefined,
  after: JsonValue,
  style: Style,
): string[] {
  return renderDifference(pretty(before), pretty(after), style);
}

function pretty(entry: JsonValue | undefined): string {
  return entry === undefined ? "" : `${JSON.stringify(entry, undefined, 2)}\n`;
}

function renderLine({ kind, text }: DifferenceLine, style: Style): string {
  const shown = safeText(text);
  if (kind === "same") return ` ${shown}`;
  return kind === "added" ? style.good(`+${shown}`) : style.bad(`-${shown}`);
}

/** Returns the first line and the line count of one side of a hunk. `other` is the kind of the other side. */
function rangeOf(
  other: DifferenceLine["kind"],
  above: readonly DifferenceLine[],
  inside: readonly DifferenceLine[],
): string {
  const own = (lines: readonly DifferenceLine[]): number => lines.filter(({ kind }) => kind !== other).length;
  const count = own(inside);
  return `${own(above) + (count === 0 ? 0 : 1)},${count}`;
}

/** Groups changes that are close together. */
function hunksOf(lines: readonly DifferenceLine[]): { readonly start: number; readonly end: number }[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    const last = hunks.at(-1);
    const end = Math.min(lines.length, index + 1 + CONTEXT);
    if (last !== undefined && index - CONTEXT <= last.end) last.end = end;
    else hunks.push({ start: Math.max(0, index - CONTEXT), end });
  }
  return hunks;
}

/** Compares by the longest common subsequence. `common` holds its length from each pair of positions on. */
function compareMiddle(left: readonly string[], right: readonly string[]): DifferenceLine[] {
  if (left.length * right.length > MOST_PAIRS || left.length === 0 || right.length === 0)
    return [...as("removed", left), ...as("added", right)];
  const width = right.length + 1;
  const common = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DifferenceLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const isSame = i < left.length && j < right.length && left[i] === right[j];
    const isGone = !isSame && i < left.length && (j === right.length || at(i + 1, j) >= at(i, j + 1));
    const kind = isSame ? "same" : isGone ? "removed" : "added";
    lines.push({ kind, text: (kind === "added" ? right[j] : left[i]) ?? "" });
    if (kind !== "added") i += 1;
    if (kind !== "removed") j += 1;
  }
  return lines;
}

function as(kind: DifferenceLine["kind"], texts: readonly string[]): DifferenceLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Splits a text into lines. A final line break does not add an empty line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
