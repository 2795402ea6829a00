import { isJsonObject, type JsonObject } from "../../model/index.ts";

/** Keeps a schema as it is, but for objects without `properties`: several model providers refuse those. */
export function convertSchema(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) return { type: "object", properties: {} };
  if (schema["type"] === "object" && !isJsonObject(schema["properties"]))
    return { ...schema, properties: {} };
  return schema;
}
