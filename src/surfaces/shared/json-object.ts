import type { JsonObject } from "../../index.ts";

/** Returns whether a value is an object, and neither a list nor `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
