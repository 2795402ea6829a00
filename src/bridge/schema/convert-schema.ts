import { isJsonObject, type JsonObject } from "../../model/index.ts";

/** Adds `properties` to an object schema without them, because several model providers reject such schemas. */
export function convertSchema(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) return { type: "object", properties: {} };
  if (schema["type"] === "object" && !isJsonObject(schema["properties"]))
    return { ...schema, properties: {} };
  return schema;
}
