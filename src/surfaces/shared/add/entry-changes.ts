import { type EditRequest, type JsonValue, messageOf } from "../../../index.ts";
import type { CommandContext } from "../command.ts";
import { splitWord } from "../input/call-arguments.ts";
import { sandboxOf } from "../sandbox-choice.ts";
import { usageError } from "../usage-error.ts";
import { checkWords, reference } from "./add-request.ts";

/** Changes to the fields of an entry. */
export type Changes = EditRequest["changes"];
type Flags = CommandContext["flags"];

/** Fields that are lists even if one value is given. */
const LISTS: ReadonlySet<string> = new Set(["args", "wrap", "allowTools", "denyTools"]);
/** Fields in milliseconds. */
const DURATIONS: ReadonlySet<string> = new Set([
  "timeout",
  "startupTimeout",
  "installTimeout",
  "idleStopMs",
  "toolsTtlMs",
]);
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };
/** Fields whose members are texts and may refer to secrets. */
const TEXT_MAPS: ReadonlySet<string> = new Set(["env", "headers"]);

/** Parses `field=value` and `field:=json`. A repeated field is a list. Throws on a literal secret unless `--plain` is set. */
export function parseChanges(words: readonly string[], flags: Flags): Changes {
  checkPairs(words);
  const values = new Map<string, JsonValue>();
  for (const word of words) {
    const { key, value, kind } = splitWord(word);
    const text = kind === "file" ? `@${value}` : value; // such as the name of a package: a file cannot be a value
    const parsed = kind === "json" ? parseJson(key, value) : parseText(key, text, flags);
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
export function pathOf(field: string): readonly string[] {
  const [, top = field, inner] = /^([^.]+)\.(.+)$/.exec(field) ?? [];
  return inner === undefined ? [top] : [top, inner];
}

function parseText(key: string, value: string, flags: Flags): JsonValue {
  const [top = "", inner] = pathOf(key);
  if (TEXT_MAPS.has(top) && inner !== undefined) return reference(inner, value, flags, key);
  if (key === "sandbox") return sandboxOf(value) ?? readLiteral(key, value);
  return readLiteral(top, value);
}

function readLiteral(top: string, value: string): JsonValue {
  if (DURATIONS.has(top)) checkDuration(top, value);
  if (/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) && !LISTS.has(top))
    return JSON.parse(value) as JsonValue;
  return value;
}

/** Throws on a number with a unit, and says which number is meant. */
function checkDuration(field: string, value: string): void {
  const [, number = "", unit = ""] = /^(\d+) ?(ms|s|m|min|h)$/.exec(value) ?? [];
  const factor = UNITS[unit];
  if (factor === undefined) return;
  throw usageError(
    `"${field}" must be a number of milliseconds.`,
    `${value} is ${field}=${Number(number) * factor}.`,
  );
}

/** Throws on `timeout 5000`. Repeats only a value that cannot be a secret. */
function checkPairs(words: readonly string[]): void {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (word.includes("=")) continue;
    const value = next !== undefined && /^(?:true|false|\d{1,9})$/.test(next) ? next : "<value>";
    throw usageError(`Invalid argument "${word}".`, `Write ${word}=${value}.`);
  }
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
