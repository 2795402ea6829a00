import type { JsonObject } from "../../index.ts";
import { isObject, omit } from "./json-object.ts";
import { mapSchema } from "./map-schema.ts";
import { mergeAlternatives, resolveRoot } from "./merge-alternatives.ts";

/** OpenAI takes an object without alternatives at the top, and lists that say what they hold. */
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
