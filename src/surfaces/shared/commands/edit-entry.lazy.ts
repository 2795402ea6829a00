import { type Host, HostError, isHostError } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { type Changes, parseChanges, pathOf } from "../add/entry-changes.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderEntryDifference } from "../render/difference.ts";
import { renderPlace } from "../render/place.ts";
import { shellWord } from "../shell-word.ts";
import { readScope } from "./scope.ts";

/** Sources that are not another tool's files. */
const OWN: ReadonlySet<string> = new Set(["plugboard", "environment", "program"]);

export function setFields(context: CommandContext): Promise<ExitCode> {
  const [name = "", ...words] = context.words;
  return edit(context, name, parseChanges(words, context.flags));
}

/** Entries in other tools' files are never edited, but they can be copied. */
function withImport(error: unknown, context: CommandContext, host: Host): unknown {
  if (!isHostError(error, "CONFIG_NOT_FOUND")) return error;
  const source = host.servers().find(({ name }) => name === error.server)?.source;
  if (source === undefined || OWN.has(source.tool)) return error;
  const { code, message, server } = error;
  const place = renderPlace(source, displayContextOf(context));
  // A copy in the user's config would run in every folder.
  const where = source.scope === "project" ? " --scope project" : "";
  const copy = `${context.program} import ${source.tool} ${shellWord(server ?? "")}${where}`;
  return new HostError(code, message, {
    server,
    hint: `It comes from ${place}, which Plugboard does not edit. Change it there, or copy it first: ${copy}`,
  });
}

export function unsetFields(context: CommandContext): Promise<ExitCode> {
  const [name = "", ...fields] = context.words;
  return edit(
    context,
    name,
    fields.map((field) => ({ path: pathOf(field), value: undefined })),
  );
}

async function edit(context: CommandContext, name: string, changes: Changes): Promise<ExitCode> {
  const { flags, json, printJson, terminal, style } = context;
  const scope = readScope(flags["scope"]);
  const dryRun = flags["dry-run"] === true;
  const host = await context.openHost();
  const request = { name, changes, dryRun, ...(scope && { scope }) };
  const edited = await host.config.edit(request).catch((error: unknown) => {
    throw withImport(error, context, host);
  });
  if (json) {
    printJson({ ...edited, written: !dryRun });
    return 0;
  }
  const difference = renderEntryDifference(edited.before, edited.after, style);
  const place = renderPlace({ file: edited.file }, displayContextOf(context));
  if (difference.length === 0) {
    terminal.out(`${style.dim("·")} ${place} already has these values; nothing changed.\n`);
    return 0;
  }
  terminal.out(`${difference.join("\n")}\n`);
  const shown = `server "${safeLine(name)}" in ${edited.scope} config (${place})`;
  terminal.out(
    dryRun ? `${style.dim("·")} Nothing was written to ${place}.\n` : `${style.good("✓")} Changed ${shown}\n`,
  );
  return 0;
}
