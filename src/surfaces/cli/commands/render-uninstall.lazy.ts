import type { UninstallPlan, UninstallResult } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { describeSize } from "../../shared/render/describe-size.ts";
import { type DisplayContext, renderPlace } from "../../shared/render/place.ts";
import type { Style } from "../../shared/render/style.ts";

/** Returns whether there is nothing to remove. */
export function hasNothing({ folders, config }: UninstallPlan): boolean {
  return folders.length === 0 && !(config.removed && config.files.length > 0);
}

/** Renders what will be removed and what will be kept. */
export function renderPlan(plan: UninstallPlan, style: Style, display: DisplayContext): string {
  const { folders, keychainEntry, config, others } = plan;
  const place = (file: string): string => renderPlace({ file }, display);
  const files = config.files.map(place);
  const removed = [
    ...folders.map(
      ({ path, files: count, bytes }) =>
        `${place(path)}  ${style.dim(`${plural(count, "file")}, ${describeSize(bytes)}`)}`,
    ),
    ...(folders.length > 0 ? [countsOf(plan)] : []),
    ...(keychainEntry === undefined
      ? []
      : [`the keychain entry "${safeLine(keychainEntry)}" (service "plugboard")`]),
    ...(config.removed ? files : []),
  ];
  const kept = [
    ...(config.removed || files.length === 0
      ? []
      : [`${files.join(", ")}  ${style.dim("your config; add --config to remove it")}`]),
    ...others.map((path) => `${place(path)}  ${style.dim("not written by Plugboard")}`),
  ];
  return lines([
    ...(hasNothing(plan)
      ? ["There is nothing to remove."]
      : [style.bold("Will be removed"), ...removed.map(indent)]),
    ...(kept.length === 0 ? [] : [style.bold("Will be kept"), ...kept.map(indent)]),
    ...plan.skipped.map(
      ({ path, reason }) => `${style.warn("!")} ${place(path)} is skipped: ${safeLine(reason)}.`,
    ),
    ...(hasNothing(plan) ? [] : warningsFor(plan)).map((text) => `${style.warn("!")} ${text}`),
  ]);
}

export function renderResult(result: UninstallResult, style: Style, display: DisplayContext): string {
  const place = (file: string): string => renderPlace({ file }, display);
  const { failures, skipped } = result;
  if (failures.length + skipped.length === 0)
    return lines([
      `${style.good("✓")} Removed.`,
      "  To remove the program too: npm uninstall --global plugboard",
    ]);
  return lines([
    ...failures.map(({ path, reason }) => `${style.bad("✗")} ${place(path)}: ${safeLine(reason)}`),
    "Everything else was removed. Fix the cause, then run the command again.",
  ]);
}

function countsOf({ approvals, pins, signIns, secrets, vaultEntries }: UninstallPlan): string {
  const vault =
    signIns === undefined || secrets === undefined
      ? [plural(vaultEntries, "vault entry", "vault entries")]
      : [plural(signIns, "sign-in"), plural(secrets, "secret")];
  return [plural(approvals, "approval"), `pins for ${plural(pins, "server")}`, ...vault].join(", ");
}

function warningsFor({ vaultEntries, signIns = vaultEntries, vaultProblem }: UninstallPlan): string[] {
  return [
    ...(vaultProblem === undefined ? [] : [`The vault cannot be read: ${safeLine(vaultProblem)}`]),
    ...(signIns === 0
      ? []
      : [
          "Sign-ins stay valid until they expire. To revoke them first: plugboard auth status, then plugboard logout <server>",
        ]),
    "Close other running Plugboard processes first. They would write to these folders again.",
  ];
}

const indent = (line: string): string => `  ${line}`;
const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join("");

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
