import type { Profile, UsedProfile } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { renderTable } from "../render/table.ts";
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
  else printResult(context, result);
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
): void {
  const { terminal, style, program } = context;
  const place = renderPlace({ file }, displayContextOf(context));
  const names = (list: readonly string[]): string => list.map(safeLine).join(", ");
  const what =
    profile === undefined ? "No profile is in use" : `Using the profile "${safeLine(profile.name)}"`;
  terminal.out(`${style.good("✓")} ${what} (${place})\n`);
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
