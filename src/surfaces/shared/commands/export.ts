import {
  type ExportPlan,
  type ExportRequest,
  type ExportResult,
  type Host,
  HostError,
} from "../../../index.ts";
import { safeText } from "../../../terminal.ts";
import type { Command, CommandContext, ExitCode, Flag } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderExportPlan, renderOthers, renderSkipped } from "../render/export-plan.ts";
import { renderPlace } from "../render/place.ts";
import { usageError } from "../usage-error.ts";
import { readScope } from "./scope.ts";

/** Flags of the commands that write to other tools' config files. */
export const EXPORT_FLAGS: Readonly<Record<"all" | "scope" | "yes", Flag>> = {
  all: { type: "boolean", summary: "also write servers that Plugboard found in other tools' files" },
  scope: {
    type: "string",
    value: "project|user",
    summary: "the tool's project file or user file (default: user, if it has one)",
  },
  yes: { type: "boolean", short: "y", summary: "write without asking" },
};

/** The help lines of these commands. */
export const EXPORT_NOTES: readonly string[] = [
  "Without server names: the servers in your own config file, and those in the project's that you approved.",
];

/** Reads the part of the request that `export` and `sync` share. */
export function readExportRequest(
  { flags }: CommandContext,
  names: readonly string[],
): Omit<ExportRequest, "tool"> {
  const scope = readScope(flags["scope"]);
  const all = flags["all"] === true;
  if (all && names.length > 0) throw usageError("Use either --all or server names, not both.");
  return { ...(scope && { scope }), ...(names.length > 0 && { names }), all };
}

export const exportServers: Command = {
  name: "export",
  summary: "Write servers to another tool's config file, after showing the diff.",
  parameters: "<tool> [server …]",
  notes: EXPORT_NOTES,
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  flags: {
    ...EXPORT_FLAGS,
    gateway: { type: "boolean", summary: "write one entry that offers all servers: plugboard serve" },
    url: {
      type: "string",
      value: "<url>",
      summary: "with --gateway: the address of a gateway that listens on this machine",
    },
    print: { type: "boolean", summary: "print the entries, to paste them yourself, and write nothing" },
  },
  examples: [
    "plugboard export cursor",
    "plugboard export codex github files --scope project --yes",
    "plugboard export claude-code --gateway",
    "plugboard export vscode --gateway --url http://127.0.0.1:7420/mcp",
    "plugboard export zed --gateway --print",
  ],
  async run(context) {
    const [tool = "", ...names] = context.words;
    const request = { ...readExportRequest(context, names), ...readGateway(context, names) };
    const isPrinted = context.flags["print"] === true;
    if (isPrinted && context.flags["yes"] === true)
      throw usageError("Use either --print or --yes, not both.");
    const host = await context.openHost();
    const plan = await host.config.planExport({ tool, ...request });
    if (isPrinted) return printEntries(context, plan);
    const outcome = await applyPlan(context, host, plan);
    if (context.json) context.printJson({ ...describeOutcome(plan, outcome), ...hintFor(outcome) });
    else if (outcome.kind === "declined") throw confirmationRequired(outcome);
    return exitCodeFor(plan, outcome);
  },
};

/** Reads the flags for the gateway's entry. */
function readGateway({ flags }: CommandContext, names: readonly string[]): Pick<ExportRequest, "gateway"> {
  const { gateway, url, all } = flags;
  if (gateway !== true) {
    if (url !== undefined) throw usageError("--url requires --gateway.");
    return {};
  }
  if (all === true || names.length > 0) throw usageError("Use either --gateway or servers, not both.");
  return { gateway: typeof url === "string" ? { url } : {} };
}

/** Prints the entries of a plan as the tool's file has them, without a diff. */
function printEntries(context: CommandContext, plan: ExportPlan): ExitCode {
  const { json, terminal, style } = context;
  const nothing: Outcome = { kind: "nothing" };
  if (json) context.printJson(describeOutcome(plan, nothing));
  else {
    terminal.out(safeText(plan.snippet));
    terminal.err(renderSkipped(plan, style, displayContextOf(context)));
  }
  return exitCodeFor(plan, nothing);
}

/** The result of a plan. */
export type Outcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "written"; readonly result: ExportResult }
  /** The user did not confirm. `asked` is false if there was no terminal to ask on. */
  | { readonly kind: "declined"; readonly asked: boolean };

/** Shows a plan, asks for confirmation and writes it. Writes nothing without `--yes` or a confirmation. */
export async function applyPlan(context: CommandContext, host: Host, plan: ExportPlan): Promise<Outcome> {
  const { json, flags, terminal, style } = context;
  const display = displayContextOf(context);
  if (!json) {
    terminal.out(renderExportPlan(plan, style, display));
    terminal.err(renderSkipped(plan, style, display));
    terminal.err(renderOthers(plan, style));
  }
  if (plan.changes.every(({ action }) => action === "same")) return { kind: "nothing" };
  const answer =
    flags["yes"] === true ||
    (json ? undefined : await terminal.confirm(`Write these changes for ${plan.label}?`));
  if (answer !== true) return { kind: "declined", asked: answer === false };
  const result = await host.config.applyExport(plan);
  if (!json) {
    const place = (file: string): string => renderPlace({ file }, display);
    const kept = result.backup === undefined ? "" : ` The previous version is in ${place(result.backup)}.`;
    terminal.out(`${style.good("✓")} Wrote ${place(plan.file)}.${kept}\n`);
  }
  return { kind: "written", result };
}

/** Returns the plan and its result as an object for `--json`. */
export function describeOutcome({ exact: _, ...plan }: ExportPlan, outcome: Outcome): object {
  const backup = outcome.kind === "written" ? outcome.result.backup : undefined;
  return { ...plan, written: outcome.kind === "written", ...(backup !== undefined && { backup }) };
}

export function hintFor(outcome: Outcome): object {
  return outcome.kind === "declined" ? { hint: HINT } : {};
}

export function exitCodeFor({ changes, skipped }: ExportPlan, { kind }: Outcome): ExitCode {
  if (kind === "declined") return 3;
  return changes.length === 0 && skipped.length > 0 ? 1 : 0;
}

const HINT = "Review the diff, then add --yes to write it.";

/** Returns the error for changes that were not confirmed. */
export function confirmationRequired({ asked }: { readonly asked: boolean }): HostError {
  return new HostError("INTERACTION_REQUIRED", "Nothing was written.", asked ? {} : { hint: HINT });
}
