import { isJsonObject, type JsonObject, type JsonValue, safeText } from "../model/index.ts";
import { inspectSchema } from "./inspect-schema.ts";
import { WORDS } from "./schema-keywords.ts";

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
  const shown: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value)) {
    if (WORDS.has(key) && typeof member === "string") shown[key] = safeText(member);
    else shown[key] = DATA.has(key) ? member : visible(member);
  }
  return { ...shown };
}
