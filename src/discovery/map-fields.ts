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

/** Members of an entry under Plugboard's names; what is not there is left out. */
export function pickFields(entry: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const fields: Record<string, JsonValue> = Object.create(null);
  for (const [theirs, ours] of Object.entries(names)) {
    const value = own(entry, theirs);
    if (value !== undefined) fields[ours] = value;
  }
  return fields;
}

/** Fields that most tools call the same. */
export const COMMON_FIELDS: Readonly<Record<string, string>> = {
  command: "command",
  args: "args",
  env: "env",
  cwd: "cwd",
  url: "url",
  headers: "headers",
};

/** Names that mean something to Plugboard. Another tool's field of such a name must not be taken for it. */
const OUR_FIELDS: ReadonlySet<string> = new Set(
  `type command args env envFile cwd url headers enabled timeout startupTimeout installTimeout auth oauth authProviderId trust
   allowTools denyTools autoApprove approval pins protocol inheritEnv eager idleStopMs toolsTtlMs wrap
   headersHelper bearerTokenEnv envHeaders oauthScopes`.split(/\s+/),
);

/**
 * All members of an entry: those with a name of ours under it, the others under their own, so that an approval
 * covers them. Left out are those named in `without`, and those that would be mistaken for a field of ours.
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
    const value = own(entry, theirs);
    if (value !== undefined && !without.includes(theirs)) fields[ours] = value;
  }
  return fields;
}

/** Only an own member counts: a key such as `constructor` must not be found in a prototype. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function hasText(entry: JsonObject, key: string): boolean {
  const value = own(entry, key);
  return typeof value === "string" && value !== "";
}

/** A member that is a text; the empty text when it is anything else. */
export function textIn(entry: JsonObject, key: string): string {
  const value = own(entry, key);
  return typeof value === "string" ? value : "";
}

/** Seconds as milliseconds; anything that is not a number is handed on for the checks to complain about. */
export function fromSeconds(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "number" ? Math.round(value * 1000) : value;
}

/** Takes note where the owner wants texts and finds something else. */
export function checkTextMap(entry: JsonObject, key: string, verdict: Verdict): void {
  const value = own(entry, key);
  if (value === undefined) return;
  if (!isJsonObject(value) || Object.values(value).some((item) => typeof item !== "string")) {
    verdict.refuse("bad-field-type");
  }
}

/** Takes note where the owner wants a list of texts and finds something else. */
export function checkTextList(entry: JsonObject, key: string, verdict: Verdict): void {
  const value = own(entry, key);
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) {
    verdict.refuse("bad-field-type");
  }
}

/** Takes note of fields that the owner does not know. */
export function noteUnknown(entry: JsonObject, known: ReadonlySet<string>, verdict: Verdict): void {
  if (Object.keys(entry).some((key) => !known.has(key))) verdict.note("unsupported-field");
}

/** Takes note of a time-out that is hardly meant in the unit its owner counts in. */
export function noteTimeout(
  value: JsonValue | undefined,
  unit: "seconds" | "milliseconds",
  verdict: Verdict,
): void {
  if (typeof value !== "number" || value <= 0) return;
  if (unit === "seconds" ? value > 3600 : value < 1000) verdict.note("timeout-unit-suspicious");
}

/** Returns whether the list has this text. A list is searched for each server of its file, and both may be long. */
export function hasItem(list: JsonValue | undefined, text: string): boolean {
  return isList(list) && setOf(list).has(text);
}

const setOf = memoize((list: readonly JsonValue[]): ReadonlySet<JsonValue> => new Set(list));

/** Returns the texts in a list, and none for any other value. */
export function textsIn(value: JsonValue | undefined): string[] {
  return itemsOf(value).filter((item) => typeof item === "string");
}

/** The names a person is asked for: `${input:id}` anywhere in the entry. An id does not begin another placeholder. */
export function inputsNeeded(fields: JsonObject): string[] {
  return [...new Set([...JSON.stringify(fields).matchAll(/\$\{input:([^{}]+)\}/g)].map(([, id = ""]) => id))];
}

export interface TransportFacts {
  readonly kind: Transport | "ws";
  readonly reason: string;
  readonly candidates?: readonly Transport[];
  /** Guessed, where its owner would rather be told. */
  readonly inferred?: true;
}

export function explicit(kind: Transport | "ws", spelling: string): TransportFacts {
  return { kind, reason: `"type": "${spelling}"` };
}

export const HTTP_THEN_SSE: readonly Transport[] = ["http", "sse"];

/** A command that may be a list of words or a whole line, as its first word and the rest. */
export function splitCommand(value: JsonValue | undefined): { command?: JsonValue; args?: JsonValue[] } {
  if (isList(value)) {
    const [command, ...args] = value;
    return command === undefined ? {} : { command, ...(args.length > 0 && { args }) };
  }
  if (typeof value !== "string") return value === undefined ? {} : { command: value };
  const [command, ...args] = wordsOf(value);
  return { command: command ?? value, ...(args.length > 0 && { args }) };
}

/** The words of a command line. Quotes keep spaces together; a backslash only guards quotes, spaces and itself. */
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
