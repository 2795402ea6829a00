import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject, listOf, mapValues } from "./json-object.ts";

const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const SINGLE_SCHEMA_KEYWORDS = new Set([
  "items",
  "additionalItems",
  "additionalProperties",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "not",
  "if",
  "then",
  "else",
]);
const DEEPEST = 64;

/** Replaces every schema within a schema, innermost first. Drops schemas that are nested deeper than `DEEPEST`. */
export function mapSchema(
  schema: JsonObject,
  replace: (schema: JsonObject) => JsonObject,
  depth = 0,
): JsonObject {
  if (depth > DEEPEST) return {};
  const inner = (value: JsonValue): JsonValue =>
    isObject(value) ? mapSchema(value, replace, depth + 1) : value;
  const members = Object.entries(schema).map(([key, value]): [string, JsonValue] => {
    if (MAPS.has(key) && isObject(value)) return [key, mapValues(value, inner)];
    if (LISTS.has(key) || (key === "items" && Array.isArray(value))) return [key, listOf(value).map(inner)];
    if (SINGLE_SCHEMA_KEYWORDS.has(key)) return [key, inner(value)];
    return [key, value];
  });
  return replace(Object.fromEntries(members));
}
