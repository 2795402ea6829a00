import type { ExportPlan } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { compareLines, renderDifference, renderEntryDifference } from "./difference.ts";
import { type DisplayContext, renderPlace, shortenPaths } from "./place.ts";
import type { Style } from "./style.ts";

/** Renders the complete diff of an export to one file. */
export function renderExportPlan(plan: ExportPlan, style: Style, display: DisplayContext): string {
  const place = renderPlace({ file: plan.file }, display);
  const difference = differenceOf(plan, style);
  const same = plan.changes.filter(({ action }) => action === "same").map(({ server }) => safeLine(server));
  if (plan.changes.length === 0 && plan.skipped.length === 0) return "No servers to write.\n";
  return [
    ...(difference.length === 0
      ? []
      : [
          style.bold(`--- ${plan.before === "" ? "(new file)" : place}`),
          style.bold(`+++ ${place}`),
          ...difference,
        ]),
    ...(same.length === 0 ? [] : [`${style.dim("·")} Already in ${place}: ${same.join(", ")}`]),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** In a longer line, a change is hard to find. */
const LONGEST_LINE = 200;

/** Returns the diff of the file. If a changed line is long, as in JSON on one line, shows each entry on its own lines instead. */
function differenceOf({ before, after, changes }: ExportPlan, style: Style): string[] {
  const changed = compareLines(before, after).filter(({ kind }) => kind !== "same");
  if (changed.every(({ text }) => text.length <= LONGEST_LINE)) return renderDifference(before, after, style);
  return changes
    .filter(({ action }) => action !== "same")
    .flatMap((change) => [
      `server "${safeLine(change.server)}"`,
      ...renderEntryDifference(change.before, change.after, style),
    ]);
}

/** Names the servers of other tools' files, which are written only with `--all`. */
export function renderOthers({ others }: ExportPlan, style: Style): string {
  if (others.length === 0) return "";
  const shown = others.slice(0, MOST_OTHERS).map(safeLine).join(", ");
  const rest = others.length > MOST_OTHERS ? ` and ${others.length - MOST_OTHERS} more` : "";
  return `${style.dim("·")} Not written, because other tools' files define them: ${shown}${rest}. Add --all to write them too.\n`;
}

const MOST_OTHERS = 10;

/** Renders the skipped servers with the reasons. */
export function renderSkipped(plan: ExportPlan, style: Style, display: DisplayContext): string {
  return plan.skipped
    .map(({ server, reason }) => {
      const why = shortenPaths(reason, display);
      return `${style.warn("!")} Skipped ${safeLine(server)}: ${why}\n`;
    })
    .join("");
}
