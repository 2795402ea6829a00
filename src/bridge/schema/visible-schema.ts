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

/** Values, not words about them. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);

/** A schema as it is, but that nothing in its words is hidden: what a model reads, a person can see. */
export function visibleSchema(schema: JsonObject): JsonObject {
  return inspectSchema(schema).hasHidden ? withoutHidden(schema) : schema;
}

const withoutHidden = memoize((schema: JsonObject) => visible(schema) as JsonObject);

function visible(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(visible);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member, key) => {
    if (WORDS.has(key) && typeof member === "string") return safeText(member);
    // Names in there are the server's own, and no keywords.
    if (MAP_OF_SCHEMAS.has(key) && isJsonObject(member)) return mapMembers(member, visible);
    return DATA.has(key) ? member : visible(member);
  });
}

function mapMembers(object: JsonObject, replace: (member: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, replace(member, key)]));
}
