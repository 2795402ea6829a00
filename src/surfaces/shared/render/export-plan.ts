import type { ExportPlan } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { renderDifference } from "./difference.ts";
import { type DisplayContext, renderPlace, shortenPaths } from "./place.ts";
import type { Style } from "./style.ts";

/** Renders the complete diff of an export to one file. */
export function renderExportPlan(plan: ExportPlan, style: Style, display: DisplayContext): string {
  const place = renderPlace({ file: plan.file }, display);
  const difference = renderDifference(plan.before, plan.after, style);
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

/** Renders the skipped servers with the reasons. */
export function renderSkipped(plan: ExportPlan, style: Style, display: DisplayContext): string {
  return plan.skipped
    .map(({ server, reason }) => {
      const why = shortenPaths(reason, display);
      return `${style.warn("!")} Skipped ${safeLine(server)}: ${why}\n`;
    })
    .join("");
}
