import { type ExportPlan, isHostError, messageOf } from "../../../index.ts";
import type { Command, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { toErrorDocument } from "../render/error.ts";
import { shortenPaths } from "../render/place.ts";
import { usageError } from "../usage-error.ts";
import {
  applyPlan,
  confirmationRequired,
  describeOutcome,
  EXPORT_FLAGS,
  EXPORT_NOTES,
  exitCodeFor,
  hintFor,
  type Outcome,
  readExportRequest,
} from "./export.ts";

export const sync: Command = {
  name: "sync",
  summary: "Write the same servers to several tools' config files, showing each diff first.",
  parameters: "--to <tools> [server …]",
  notes: EXPORT_NOTES,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  flags: {
    to: { type: "string", value: "<tools>", summary: "comma-separated list of tools" },
    ...EXPORT_FLAGS,
  },
  examples: ["plugboard sync --to cursor,vscode", "plugboard sync --to codex,gemini github --yes"],
  async run(context) {
    const { words: names, json, printJson, terminal, style, program } = context;
    const request = readExportRequest(context, names);
    const tools = readTools(context.flags["to"]);
    const host = await context.openHost();
    const planFor = (tool: string): Promise<ExportPlan> => host.config.planExport({ tool, ...request });
    const done: { plan: ExportPlan; outcome: Outcome }[] = [];
    const failures: { tool: string; error: unknown }[] = [];
    for (const tool of tools) await planFor(tool).catch(throwUsageError);
    for (const tool of tools) {
      try {
        // Planned again here, because two tools can share one file.
        const plan = await planFor(tool);
        if (!json) terminal.out(`${style.bold(plan.label)}\n`);
        done.push({ plan, outcome: await applyPlan(context, host, plan) });
      } catch (error) {
        failures.push({ tool, error });
        const reason = shortenPaths(messageOf(error), displayContextOf(context));
        if (!json) terminal.err(`${style.bad("✗")} ${tool}: ${reason}\n`);
      }
    }
    const declined = done.map(({ outcome }) => outcome).find(({ kind }) => kind === "declined");
    if (json) {
      printJson({
        plans: done.map(({ plan, outcome }) => describeOutcome(plan, outcome)),
        failures: failures.map(({ tool, error }) => ({
          tool,
          ...toErrorDocument(error, { verb: "sync", program }),
        })),
        ...(declined && hintFor(declined)),
      });
    } else if (failures.length === 0 && declined?.kind === "declined") throw confirmationRequired(declined);
    if (failures.length > 0) return 1;
    return done.map(({ plan, outcome }) => exitCodeFor(plan, outcome)).reduce<ExitCode>(worst, 0);
  },
};

/** Throws usage errors before anything is written. Errors of a single tool's file are reported later. */
function throwUsageError(error: unknown): void {
  if (isHostError(error, "USAGE_INVALID") || isHostError(error, "SERVER_UNKNOWN")) throw error;
}

function worst(left: ExitCode, right: ExitCode): ExitCode {
  return left > right ? left : right;
}

function readTools(value: unknown): string[] {
  const tools = typeof value === "string" ? value.split(",").map((tool) => tool.trim()) : [];
  const named = [...new Set(tools.filter((tool) => tool !== ""))];
  if (named.length === 0) throw usageError("Choose a destination: --to cursor,vscode");
  return named;
}
