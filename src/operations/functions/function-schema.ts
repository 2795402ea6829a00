import {
  type FunctionSchema,
  HostError,
  isJsonObject,
  type JsonObject,
  memoize,
  messageOf,
  type StandardSchema,
} from "../../model/index.ts";

/** A schema of ArkType is a function. */
export function isStandardSchema(schema: FunctionSchema): schema is StandardSchema {
  return "~standard" in schema;
}

/** Returns whether a JSON Schema allows objects, as a schema of arguments must. */
export function allowsObjects({ type = "object" }: JsonObject): boolean {
  return Array.isArray(type) ? type.includes("object") : type === "object";
}

/** Returns the JSON Schema of a function's arguments. Rejects if there is none. */
export async function jsonSchemaOf(tool: string, schema: FunctionSchema): Promise<JsonObject> {
  try {
    return await convert(schema);
  } catch (error) {
    const message = `The schema of the tool "${tool}" cannot be converted to JSON Schema: ${messageOf(error)}`;
    throw new HostError("USAGE_INVALID", message, { cause: error });
  }
}

/** Sessions are often created per request, with the same schemas. */
const convert = memoize(async (schema: FunctionSchema): Promise<JsonObject> => {
  const converted: unknown = isStandardSchema(schema) ? await convertStandard(schema) : schema;
  const copy: unknown = JSON.parse(JSON.stringify(converted));
  if (!isJsonObject(copy)) throw new Error("It is not an object.");
  if (!allowsObjects(copy)) throw new Error('Its type must be "object".');
  return copy;
});

async function convertStandard(schema: StandardSchema): Promise<unknown> {
  const { jsonSchema, vendor } = schema["~standard"];
  if (jsonSchema !== undefined) return jsonSchema.input({ target: "draft-2020-12" });
  if (vendor !== "valibot") throw new Error(`${vendor} does not support Standard JSON Schema.`);
  // The name is written out, because the build converts only such imports for the command line.
  const library: Record<string, unknown> = await import("@valibot/to-json-schema").catch((error: unknown) => {
    throw new Error("Install @valibot/to-json-schema.", { cause: error });
  });
  const { toJsonSchema } = library;
  return typeof toJsonSchema === "function" ? toJsonSchema(schema, { typeMode: "input" }) : undefined;
}
