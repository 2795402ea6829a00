import { HostError, type UninstallPlan } from "../../../index.ts";
import type { Command, CommandContext } from "../../shared/command.ts";
import { displayContextOf } from "../../shared/display-context.ts";
import { toErrorDocument } from "../../shared/render/error.ts";

export const uninstall: Command = {
  name: "uninstall",
  summary: "Remove all data that Plugboard stores on this machine, after asking.",
  parameters: "",
  notes: [
    "Removes approvals, pins, sign-ins, secrets, logs, artifacts, caches and the keychain entry.",
    "Keeps your config file and settings unless you pass --config. Does not revoke sign-ins: log out first.",
  ],
  words: { least: 0, most: 0 },
  flags: {
    config: { type: "boolean", summary: "also remove your mcp.json and settings.json" },
    "dry-run": { type: "boolean", summary: "show what would be removed without removing it" },
    yes: { type: "boolean", short: "y", summary: "remove without asking" },
  },
  examples: ["plugboard uninstall --dry-run", "plugboard uninstall", "plugboard uninstall --yes --config"],
  async run(context) {
    const { flags, json, printJson, terminal, style, program } = context;
    const { hasNothing, renderPlan, renderResult } = await import("./render-uninstall.lazy.ts");
    const host = await context.openHost({ quiet: true });
    const plan = await host.doctor.planUninstall({ config: flags["config"] === true });
    const isDone = flags["dry-run"] === true || hasNothing(plan);
    if (!json) terminal.out(renderPlan(plan, style, displayContextOf(context)));
    if (isDone) {
      if (json) printJson({ ...plan, removed: false });
      return plan.skipped.length > 0 && flags["dry-run"] !== true ? 1 : 0;
    }
    const refusal = await askToRemove(context, plan);
    if (refusal !== undefined) {
      if (!json) throw refusal;
      printJson({ ...toErrorDocument(refusal, { verb: "uninstall", program }), plan });
      return 3;
    }
    const { findDaemon } = await import("../../../find-daemon.lazy.ts");
    await (await import("../../../daemon-service.lazy.ts")).uninstallDaemonService(); // it would start the daemon again
    await findDaemon().stop(); // it would write its files again
    const result = await host.doctor.uninstall(plan);
    const isComplete = result.failures.length + result.skipped.length === 0;
    if (json) printJson({ ...result, removed: isComplete });
    else terminal.out(renderResult(result, style, displayContextOf(context)));
    return isComplete ? 0 : 1;
  },
};

/** Returns why nothing may be removed; `undefined` if the user agreed. */
async function askToRemove(
  { flags, json, terminal }: CommandContext,
  { config }: UninstallPlan,
): Promise<HostError | undefined> {
  if (flags["yes"] === true) return undefined;
  const answer = json ? undefined : await terminal.confirm("Remove all of this? It cannot be undone.");
  if (answer === true) return undefined;
  const line = `plugboard uninstall --yes${config.removed ? " --config" : ""}`;
  return new HostError("INTERACTION_REQUIRED", "Nothing was removed.", {
    ...(answer === undefined && { hint: `To remove it without a terminal: ${line}` }),
  });
}
