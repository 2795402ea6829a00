import type { JsonObject, JsonValue } from "../../model/index.ts";
import { inspectSchema } from "../schema/inspect-schema.ts";
import { checkValue } from "./check-value.ts";
import { loadPatterns, type Patterns } from "./patterns.ts";
import { fitsPlainShape } from "./plain-shape.ts";

/** Validates a call's arguments. Returns all errors, as messages for a person or a model. */
export function checkArguments(args: JsonObject, schema: JsonObject, patterns?: Patterns): string[] {
  if (fitsPlainShape(args, schema)) return [];
  return checkValue(args, schema, patterns && { patterns });
}

/** Validates a tool's structured content. Returns all errors. */
export function checkOutput(structured: JsonValue, schema: JsonObject, patterns?: Patterns): string[] {
  const words = { unknown: "part of the result", whole: "the result" };
  return checkValue(structured, schema, { ...(patterns && { patterns }), ...words });
}

/** Loads the engine for a schema's regular expressions. Returns `undefined` if the schema has none. */
export function patternsFor(schema: JsonObject): Promise<Patterns> | undefined {
  return inspectSchema(schema).hasPatterns ? loadPatterns() : undefined;
}
