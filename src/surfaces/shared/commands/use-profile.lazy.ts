import type { Profile, UsedProfile } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { renderTable } from "../render/table.ts";
import { quoteIfNeeded } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";
import { readScope } from "./scope.ts";

/** Lists the profiles, or changes which one is in use. */
export async function runUse(context: CommandContext): Promise<ExitCode> {
  const { words, flags, json, printJson } = context;
  const [profile, ...servers] = words;
  const none = flags["none"] === true;
  if (none && profile !== undefined) throw usageError("Use either a profile or --none, not both.");
  const host = await context.openHost();
  if (profile === undefined && !none) {
    const profiles = host.config.profiles();
    if (json) printJson({ profiles });
    else printProfiles(context, profiles);
    return 0;
  }
  const scope = readScope(flags["scope"]);
  const result = await host.config.useProfile({
    profile,
    ...(scope !== undefined && { scope }),
    ...(servers.length > 0 && { servers }),
  });
  if (json) printJson(result);
  else printResult(context, result, scope === "user" ? { wanted: profile } : undefined);
  return 0;
}

function printProfiles(context: CommandContext, profiles: readonly Profile[]): void {
  const { terminal, style, program } = context;
  if (profiles.length === 0) {
    terminal.out("No profile is defined.\n");
    terminal.err(`  ${style.dim("→")} ${program} use <profile> <server> …\n`);
    return;
  }
  const rows = profiles.map(({ name, servers, active, source }) => [
    active ? "in use" : "",
    safeLine(name),
    servers.map(safeLine).join(", ") || "no servers",
    renderPlace(source, displayContextOf(context)),
  ]);
  const cells = [["", "profile", "servers", "place"], ...rows].map((row) => row.map((text) => ({ text })));
  terminal.out(`${renderTable(cells).join("\n")}\n`);
}

function printResult(
  context: CommandContext,
  { profile, file, on, off, unknown, unavailable }: UsedProfile,
  everywhere: { readonly wanted: string | undefined } | undefined,
): void {
  const { terminal, style, program } = context;
  const place = renderPlace({ file }, displayContextOf(context));
  const names = (list: readonly string[]): string => list.map(safeLine).join(", ");
  const wanted = everywhere === undefined ? profile?.name : everywhere.wanted;
  const where =
    wanted === undefined ? "in folders without their own choice" : "in every folder without its own choice";
  const what = wanted === undefined ? "No profile is in use" : `Using the profile "${safeLine(wanted)}"`;
  terminal.out(`${style.good("✓")} ${what}${everywhere === undefined ? "" : ` ${where}`} (${place})\n`);
  if (profile?.name !== wanted) {
    const own = profile === undefined ? "no profile" : `the profile "${safeLine(profile.name)}"`;
    const command = wanted === undefined ? "--none" : quoteIfNeeded(wanted, "<profile>");
    terminal.err(
      `  ${style.warn("!")} This project uses ${own}. To change that: ${program} use ${command}\n`,
    );
    return;
  }
  if (on.length > 0) terminal.out(`  on:  ${names(on)}\n`);
  if (off.length > 0) terminal.out(`  off: ${names(off)}\n`);
  if (profile?.source.tier === "project")
    terminal.err("  This profile belongs to the project. Your own servers stay as they are.\n");
  if (unknown.length > 0) terminal.err(`  ${style.warn("!")} No config file defines: ${names(unknown)}\n`);
  for (const name of unavailable)
    terminal.err(
      `  ${style.warn("!")} ${safeLine(name)} cannot run yet: ${program} explain ${safeLine(name)}\n`,
    );
}
