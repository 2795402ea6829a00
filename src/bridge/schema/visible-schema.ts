import {
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  memoize,
  safeText,
} from "../../model/index.ts";
import { inspectSchema } from "./inspect-schema.ts";
import { MAP_OF_SCHEMAS, WORDS } from "./schema-keywords.ts";

/** Keywords that contain values, not text for the model. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);

/** Makes hidden characters in a schema's texts visible, so that people can see everything that a model reads. */
export function visibleSchema(schema: JsonObject): JsonObject {
  return inspectSchema(schema).hasHidden ? withoutHidden(schema) : schema;
}

const withoutHidden = memoize((schema: JsonObject) => visible(schema) as JsonObject);

function visible(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(visible);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member, key) => {
    if (WORDS.has(key) && typeof member === "string") return safeText(member);
    // The keys of these objects are names, not keywords.
    if (MAP_OF_SCHEMAS.has(key) && isJsonObject(member)) return mapMembers(member, visible);
    return DATA.has(key) ? member : visible(member);
  });
}

function mapMembers(object: JsonObject, replace: (member: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, replace(member, key)]));
}
