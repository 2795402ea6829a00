import type { JsonObject, JsonValue } from "../../index.ts";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

export function textsOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

/** Returns the object without the given keys. */
export function omit(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Returns the object with each value replaced. */
export function mapValues(object: JsonObject, replace: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, replace(value)]));
}
