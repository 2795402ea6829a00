/** A value in a JSON, JSONC, TOML or YAML file. Objects read from files have no prototype. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** An object in a JSON, JSONC, TOML or YAML file. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Returns whether a value is an object, and neither an array nor `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns whether a value is an array. Unlike `Array.isArray`, it narrows a `JsonValue` to its read-only array type.
 */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the items of an array, or an empty array for any other value. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

/** Returns JSON with sorted keys. Equal values give the same text, so that their hashes can be compared. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number") return String(value); // 1e999 is parsed as Infinity, which JSON writes as null
  return JSON.stringify(value) ?? "null";
}

/**
 * Returns whether two values are equal, ignoring the order of keys. The contents of identical objects are not compared.
 */
export function isEqualJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isEqualJson(item, right[index]));
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqualJson(left[key], right[key]))
  );
}
