import type { AddRequest, Host, HostError, WrittenServer } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderEntryDifference } from "../render/difference.ts";
import { renderPlace } from "../render/place.ts";

/** Shows how the existing entry would change, and changes it if the user confirms. Otherwise throws the error of `add`. */
export async function offerChange(
  context: CommandContext,
  host: Host,
  { name, server, scope }: AddRequest,
  exists: HostError,
): Promise<WrittenServer> {
  const { terminal, style } = context;
  const request = { name, scope, changes: [], launch: server };
  const planned = await host.config.edit({ ...request, dryRun: true });
  const place = renderPlace({ file: planned.file }, displayContextOf(context));
  const difference = renderEntryDifference(planned.before, planned.after, style);
  if (difference.length === 0) {
    terminal.out(`${style.dim("·")} ${place} already has these values; nothing changed.\n`);
    return planned;
  }
  const shown = `Server "${safeLine(name)}" already exists in ${place}`;
  terminal.out(`${shown}:\n${difference.join("\n")}\n`);
  if ((await terminal.confirm("Change it?")) !== true) throw exists;
  const changed = await host.config.edit(request);
  terminal.out(`${style.good("✓")} Changed server "${safeLine(name)}" in ${scope} config (${place})\n`);
  return changed;
}
