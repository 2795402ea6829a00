import { type EditRequest, type JsonValue, messageOf } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { checkWords, reference } from "../../shared/add/add-request.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { readScope } from "../../shared/commands/scope.ts";
import { displayContextOf } from "../../shared/display-context.ts";
import { splitWord } from "../../shared/input/call-arguments.ts";
import { renderEntryDifference } from "../../shared/render/difference.ts";
import { renderPlace } from "../../shared/render/place.ts";
import { usageError } from "../../shared/usage-error.ts";

type Changes = EditRequest["changes"];
type Flags = CommandContext["flags"];

/** Fields that are lists even if one value is given. */
const LISTS: ReadonlySet<string> = new Set(["args", "wrap", "allowTools", "denyTools"]);
/** Fields whose members are texts and may refer to secrets. */
const TEXT_MAPS: ReadonlySet<string> = new Set(["env", "headers"]);

export function setFields(context: CommandContext): Promise<ExitCode> {
  const [name = "", ...words] = context.words;
  return edit(context, name, parseChanges(words, context.flags));
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
  const edited = await host.config.edit({ name, changes, dryRun, ...(scope && { scope }) });
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

/** Parses `field=value` and `field:=json`. A repeated field is a list. Throws on a literal secret unless `--plain` is set. */
function parseChanges(words: readonly string[], flags: Flags): Changes {
  const values = new Map<string, JsonValue>();
  for (const word of words) {
    const { key, value, kind } = splitWord(word);
    if (kind === "file")
      throw usageError(`${key}: a file cannot be the value.`, "Write field=value or field:=json.");
    const parsed = kind === "json" ? parseJson(key, value) : parseText(key, value, flags);
    checkSecrets(key, parsed, flags);
    const before = values.get(key);
    const isList = kind !== "json" && (before !== undefined || LISTS.has(key));
    const items = Array.isArray(before)
      ? (before as readonly JsonValue[])
      : before === undefined
        ? []
        : [before];
    values.set(key, isList ? [...items, parsed] : parsed);
  }
  return [...values].map(([key, value]) => ({ path: pathOf(key), value }));
}

/** Only the first dot separates, because names of variables and headers may contain dots. */
function pathOf(field: string): readonly string[] {
  const [, top = field, inner] = /^([^.]+)\.(.+)$/.exec(field) ?? [];
  return inner === undefined ? [top] : [top, inner];
}

function parseText(key: string, value: string, flags: Flags): JsonValue {
  const [top = "", inner] = pathOf(key);
  if (TEXT_MAPS.has(top) && inner !== undefined) return reference(inner, value, flags, key);
  if (/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) && !LISTS.has(top))
    return JSON.parse(value) as JsonValue;
  return value;
}

function parseJson(key: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw usageError(`${key}: the value is not valid JSON: ${messageOf(error)}`);
  }
}

/** Checks all texts inside a value, with the names that they have there. */
function checkSecrets(key: string, value: JsonValue, flags: Flags): void {
  const name = pathOf(key).at(-1) ?? key;
  if (typeof value === "string") reference(name, value, flags, key);
  if (typeof value === "string") checkWords([value], flags, key);
  else if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    checkWords(
      items.filter((item) => typeof item === "string"),
      flags,
      key,
    );
    for (const item of items) if (typeof item === "object") checkSecrets(key, item, flags);
  } else if (typeof value === "object" && value !== null)
    for (const [inner, member] of Object.entries(value)) checkSecrets(`${name}.${inner}`, member, flags);
}
