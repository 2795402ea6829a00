import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { looksSecret, maskArguments, maskUrl } from "./redactor.ts";

/** A launch without the secrets that stand in it as they are, to be kept. What names a secret, or would be run, stays. */
export function maskLaunch(fields: JsonObject): JsonObject {
  const members = Object.entries(fields).map(([name, value]) => [name, maskValue(value, name)] as const);
  return Object.fromEntries(members);
}

function maskValue(value: JsonValue, name: string): JsonValue {
  if (typeof value === "string") {
    const isNamed = /^(?:!|keychain:|file:)/.test(value);
    return !isNamed && looksSecret(name, value) ? "[secret]" : maskUrl(value);
  }
  if (isJsonObject(value)) return maskLaunch(value);
  if (!Array.isArray(value)) return value;
  const items = value as readonly JsonValue[];
  const texts = items.filter((item) => typeof item === "string");
  return texts.length === items.length ? maskArguments(texts) : items.map((item) => maskValue(item, name));
}
