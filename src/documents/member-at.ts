import { isJsonObject, type JsonValue } from "../model/index.ts";

/** The value at the end of a way from the top; only own members count. */
export function memberAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}
