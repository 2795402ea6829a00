/** What JSON, JSONC, TOML and YAML files can say. Objects read from files have no prototype. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Narrows a `JsonValue` to its list type. `Array.isArray` does not, because the lists are read-only. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the items of a list, and none for any other value. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

/** The same text for equal values whatever the order of their keys, so that hashes can be compared. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number") return String(value); // a file may say 1e999, which JSON cannot hold
  return JSON.stringify(value) ?? "null";
}

/** Returns whether two values are equal, whatever the order of their keys. Values that are the same object are not compared. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
}
