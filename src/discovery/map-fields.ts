import {
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  memoize,
  type Transport,
} from "../model/index.ts";
import type { Verdict } from "./verdict.ts";

/** Returns the listed fields under Plugboard's names. Omits missing fields. */
export function pickFields(entry: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const fields: Record<string, JsonValue> = Object.create(null);
  for (const [theirs, ours] of Object.entries(names)) {
    const value = ownMember(entry, theirs);
    if (value !== undefined) fields[ours] = value;
  }
  return fields;
}

/** Fields that have the same name in most tools. */
export const COMMON_FIELDS: Readonly<Record<string, string>> = {
  command: "command",
  args: "args",
  env: "env",
  cwd: "cwd",
  url: "url",
  headers: "headers",
};

/** Field names with a meaning in Plugboard. Another tool's field with such a name must not be mistaken for it. */
const OUR_FIELDS: ReadonlySet<string> = new Set(
  `type command args env envFile cwd url headers enabled timeout startupTimeout installTimeout auth oauth authProviderId trust
   allowTools denyTools autoApprove approval pins protocol inheritEnv eager idleStopMs maxMemoryMb share toolsTtlMs wrap sandbox
   headersHelper bearerTokenEnv envHeaders oauthScopes`.split(/\s+/),
);

/**
 * Returns all fields of an entry, so that an approval covers them: mapped fields under Plugboard's names, the others
 * under their own. Omits the fields in `without` and fields that could be mistaken for one of Plugboard's.
 */
export function keepFields(
  entry: JsonObject,
  names: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): JsonObject {
  const fields: Record<string, JsonValue> = Object.create(null);
  for (const [theirs, value] of Object.entries(entry)) {
    if (without.includes(theirs) || Object.hasOwn(names, theirs) || OUR_FIELDS.has(theirs)) continue;
    fields[theirs] = value;
  }
  for (const [theirs, ours] of Object.entries(names)) {
    const value = ownMember(entry, theirs);
    if (value !== undefined && !without.includes(theirs)) fields[ours] = value;
  }
  return fields;
}

/** Returns an own member. A key such as `constructor` must not be read from the prototype. */
export function ownMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function hasString(entry: JsonObject, key: string): boolean {
  const value = ownMember(entry, key);
  return typeof value === "string" && value !== "";
}

/** Returns a string member, or an empty string if it is missing or has another type. */
export function stringIn(entry: JsonObject, key: string): string {
  const value = ownMember(entry, key);
  return typeof value === "string" ? value : "";
}

/** Converts seconds to milliseconds. Returns other values unchanged, so that later checks report them. */
export function fromSeconds(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "number" ? Math.round(value * 1000) : value;
}

/** Refuses the entry if a field is not an object of strings. */
export function checkStringMap(entry: JsonObject, key: string, verdict: Verdict): void {
  const value = ownMember(entry, key);
  if (value === undefined) return;
  if (!isJsonObject(value) || Object.values(value).some((item) => typeof item !== "string")) {
    verdict.refuse("bad-field-type");
  }
}

/** Refuses the entry if a field is not a list of strings. */
export function checkStringList(entry: JsonObject, key: string, verdict: Verdict): void {
  const value = ownMember(entry, key);
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) {
    verdict.refuse("bad-field-type");
  }
}

/** Notes fields that the owner does not support. */
export function noteUnknown(entry: JsonObject, known: ReadonlySet<string>, verdict: Verdict): void {
  if (Object.keys(entry).some((key) => !known.has(key))) verdict.note("unsupported-field");
}

/** Notes a timeout that is implausible in the owner's unit. */
export function noteTimeout(
  value: JsonValue | undefined,
  unit: "seconds" | "milliseconds",
  verdict: Verdict,
): void {
  if (typeof value !== "number" || value <= 0) return;
  if (unit === "seconds" ? value > 3600 : value < 1000) verdict.note("timeout-unit-suspicious");
}

/** Returns whether the list contains the string. Memoized, because long lists are searched once per server. */
export function hasItem(list: JsonValue | undefined, text: string): boolean {
  return isList(list) && setOf(list).has(text);
}

const setOf = memoize((list: readonly JsonValue[]): ReadonlySet<JsonValue> => new Set(list));

/** Returns the strings in a list, or an empty list for any other value. */
export function stringsIn(value: JsonValue | undefined): string[] {
  return itemsOf(value).filter((item) => typeof item === "string");
}

/** Returns the ids of all `${input:id}` placeholders in the entry. Ids cannot contain another placeholder. */
export function inputIdsIn(fields: JsonObject): string[] {
  return [...new Set([...JSON.stringify(fields).matchAll(/\$\{input:([^{}]+)\}/g)].map(([, id = ""]) => id))];
}

export interface TransportFacts {
  readonly kind: Transport | "ws";
  readonly reason: string;
  readonly candidates?: readonly Transport[];
  /** The transport was inferred, although the owner recommends an explicit type. */
  readonly inferred?: true;
}

export function explicit(kind: Transport | "ws", spelling: string): TransportFacts {
  return { kind, reason: `"type": "${spelling}"` };
}

export const HTTP_THEN_SSE: readonly Transport[] = ["http", "sse"];

/** Splits a command, given as a list or as a command line, into the program and its arguments. */
export function splitCommand(value: JsonValue | undefined): { command?: JsonValue; args?: JsonValue[] } {
  if (isList(value)) {
    const [command, ...args] = value;
    return command === undefined ? {} : { command, ...(args.length > 0 && { args }) };
  }
  if (typeof value !== "string") return value === undefined ? {} : { command: value };
  const [command, ...args] = wordsOf(value);
  return { command: command ?? value, ...(args.length > 0 && { args }) };
}

/** Splits a command line into words. Quotes group words; a backslash escapes only quotes, white space and itself. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (char === "\\" && quote !== "'" && /^["'\s\\]$/.test(next)) {
      word = (word ?? "") + next;
      at += 1;
    } else if (quote === undefined ? char === '"' || char === "'" : char === quote) {
      quote = quote === undefined ? char : undefined;
      word ??= "";
    } else if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  return word === undefined ? words : [...words, word];
}
