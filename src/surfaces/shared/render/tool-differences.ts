import type { JsonValue, ToolDifference } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { renderDifference } from "./difference.ts";
import type { Style } from "./style.ts";

/** Renders how tools differ, field by field. */
export function renderToolDifferences(differences: readonly ToolDifference[], style: Style): string[] {
  return differences.flatMap(({ tool, kind, changes }) => [
    `  ${safeLine(tool)} ${style.warn(kind)}`,
    ...changes.flatMap(({ field, before, after }) => [
      `    ${safeLine(field)}`,
      ...linesOf(before, after, style).map((line) => `      ${line}`),
    ]),
  ]);
}

/** Returns the differences line by line. Schemas are formatted on several lines, so that small changes are visible. */
function linesOf(before: JsonValue | undefined, after: JsonValue | undefined, style: Style): string[] {
  const [left, right] = [textOf(before), textOf(after)];
  const lines = renderDifference(left, right, style);
  return `${left}${right}`.includes("\n") && before !== undefined ? lines : lines.slice(1); // no position for a single line
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
