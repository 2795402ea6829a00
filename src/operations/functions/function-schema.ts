import {
  type FunctionSchema,
  HostError,
  isJsonObject,
  type JsonObject,
  memoize,
  messageOf,
  type StandardSchema,
} from "../../model/index.ts";

/** Libraries whose schemas have no JSON Schema, and the packages that convert them. */
const CONVERTERS: Readonly<Record<string, { readonly package: string; readonly method: string }>> = {
  valibot: { package: "@valibot/to-json-schema", method: "toJsonSchema" },
};

/** A schema of ArkType is a function. */
export function isStandardSchema(schema: FunctionSchema): schema is StandardSchema {
  return "~standard" in schema;
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
  return copy;
});

async function convertStandard(schema: StandardSchema): Promise<unknown> {
  const { jsonSchema, vendor } = schema["~standard"];
  if (jsonSchema !== undefined) return jsonSchema.input({ target: "draft-2020-12" });
  const converter = Object.hasOwn(CONVERTERS, vendor) ? CONVERTERS[vendor] : undefined;
  if (converter === undefined) throw new Error(`${vendor} does not support Standard JSON Schema.`);
  const library: Record<string, unknown> = await import(converter.package).catch((error: unknown) => {
    throw new Error(`Install ${converter.package}.`, { cause: error });
  });
  const method = library[converter.method];
  return typeof method === "function" ? method(schema, { typeMode: "input" }) : undefined;
}
