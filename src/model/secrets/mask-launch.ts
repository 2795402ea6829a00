import { createHash } from "node:crypto";
import { isJsonObject, isList, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { looksSecret, maskArguments, maskText } from "./redactor.ts";

/** Maps whose values may be secrets, under any tool's name for them. */
const VALUES = /^(?:(?:http|request)_?)?(?:envs?|environment|headers)$/i;

/** Harmless settings, and placeholders. */
const ORDINARY =
  /^(?:true|false|yes|no|on|off|debug|info|warn|error|\d{1,5}|(?:[-A-Za-z]{1,20} )?\$\{[^{}]+\})?$/i;

/** Masks the literal secrets in a launch, for display. References to secrets, and commands, stay. */
export function maskLaunch(fields: JsonObject): JsonObject {
  const members = Object.entries(fields).map(([name, value]) => [name, maskValue(value, name)] as const);
  return Object.fromEntries(members);
}

/**
 * Masks a launch for storage. Other env and header values are replaced by a short hash, which shows whether they
 * changed. Some tools nest them: `transport.headers`, `command.env`.
 */
export function maskLaunchForStorage(fields: JsonObject): JsonObject {
  return hashMembers(maskLaunch(fields), false);
}

/** Hashes the strings in env and header maps, however deeply they are nested in the object. */
function hashMembers(members: JsonObject, areValues: boolean): JsonObject {
  const hashed = Object.entries(members).map(([name, value]) => {
    if (isJsonObject(value)) return [name, hashMembers(value, areValues || VALUES.test(name))] as const;
    const isKept = !areValues || typeof value !== "string" || isReference(value) || ORDINARY.test(value);
    return [name, isKept ? value : `[value ${shortHash(value)}]`] as const;
  });
  return Object.fromEntries(hashed);
}

/** Masked values count as references, because stored launches are masked again when they are compared. */
function isReference(value: string): boolean {
  return /^(?:!|keychain:|file:)|^\[(?:secret|value [0-9a-f]{8})\]$/.test(value);
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function maskValue(value: JsonValue, name: string): JsonValue {
  if (typeof value === "string") {
    return !isReference(value) && looksSecret(name, value) ? "[secret]" : maskText(value);
  }
  if (isJsonObject(value)) return maskLaunch(value);
  if (!isList(value)) return value;
  const texts = value.filter((item) => typeof item === "string");
  return texts.length === value.length ? maskArguments(texts) : value.map((item) => maskValue(item, name));
}
