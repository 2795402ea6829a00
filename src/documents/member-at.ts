import { isJsonObject, type JsonValue } from "../model/index.ts";

/** Returns the value at a path, or `undefined`. Ignores inherited members. */
export function memberAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}
