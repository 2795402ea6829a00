import type { JsonObject } from "../../index.ts";
import { isObject, omit } from "./json-object.ts";
import { mapSchema } from "./map-schema.ts";
import { mergeAlternatives, resolveRoot } from "./merge-alternatives.ts";

/** Converts a schema for OpenAI, which requires an object without alternatives at the top level, and arrays with `items`. */
export function toOpenAiSchema(schema: JsonObject): JsonObject {
  const root = mergeAlternatives(resolveRoot(schema), schema);
  return mapSchema(omit(root, ["$schema", "$id"]), (inner) => {
    if (isTyped(inner, "array") && inner["items"] === undefined) return { ...inner, items: {} };
    if (isTyped(inner, "object") && !isObject(inner["properties"])) return { ...inner, properties: {} };
    return inner;
  });
}

function isTyped({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
