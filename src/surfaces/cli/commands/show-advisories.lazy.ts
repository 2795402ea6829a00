import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";

const DAY_MS = 86_400_000;

/** Runs `advisories`. */
export async function showAdvisories(context: CommandContext): Promise<ExitCode> {
  const { words, flags, json, printJson, terminal, style, program, signal } = context;
  const [verb] = words;
  if (verb !== undefined && verb !== "update")
    throw usageError(`Unknown argument: ${verb}`, `Usage: ${program} advisories [update]`);
  const { from } = flags;
  if (verb === undefined && from !== undefined)
    throw usageError("--from requires update.", `${program} advisories update --from <file|url>`);
  const host = await context.openHost({ quiet: true });
  const status =
    verb === "update"
      ? await host.supply.updateAdvisories({ signal, ...(typeof from === "string" && { from }) })
      : await host.supply.advisories({ signal });
  if (json) printJson(status ?? null);
  else if (status === undefined)
    terminal.out(
      `${style.warn("!")} There are no advisories on this machine, so malicious packages are not recognized.\n  ${style.dim("→")} ${program} advisories update --from <file|url>\n`,
    );
  else {
    const days = Math.floor((Date.now() - Date.parse(status.fetchedAt)) / DAY_MS);
    const age = days <= 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
    terminal.out(
      `${style.good("✓")} ${status.advisories} advisories from ${safeLine(status.source)}, fetched ${age}.\n`,
    );
  }
  return 0;
}
