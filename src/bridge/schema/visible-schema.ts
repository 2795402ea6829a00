import { isJsonObject, type JsonObject, type JsonValue, safeText } from "../../model/index.ts";
import { inspectSchema } from "./inspect-schema.ts";
import { MAP_OF_SCHEMAS, WORDS } from "./schema-keywords.ts";

/** Values, not words about them. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);

const known = new WeakMap<JsonObject, JsonObject>();

/** A schema as it is, but that nothing in its words is hidden: what a model reads, a person can see. */
export function visibleSchema(schema: JsonObject): JsonObject {
  if (!inspectSchema(schema).hasHidden) return schema;
  const before = known.get(schema);
  if (before !== undefined) return before;
  const shown = visible(schema) as JsonObject;
  known.set(schema, shown);
  return shown;
}

function visible(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(visible);
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
