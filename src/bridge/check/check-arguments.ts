import { isJsonObject, itemsOf, type JsonObject, type JsonValue } from "../../model/index.ts";
import { inspectSchema } from "../schema/inspect-schema.ts";
import { withArticle } from "./check-scalar.ts";
import { checkValue } from "./check-value.ts";
import { loadPatterns, type Patterns } from "./patterns.ts";

const MOST_PARAMETERS = 12;

/** Returns everything that is wrong with the arguments of a call, as messages for a person or a model. */
export function checkArguments(args: JsonObject, schema: JsonObject, patterns?: Patterns): string[] {
  return checkValue(args, schema, patterns && { patterns });
}

/** Returns everything that is wrong with a tool's structured content. */
export function checkOutput(structured: JsonValue, schema: JsonObject, patterns?: Patterns): string[] {
  const words = { unknown: "part of the result", whole: "the result" };
  return checkValue(structured, schema, { ...(patterns && { patterns }), ...words });
}

/** Loads the engine for a schema's regular expressions. Returns `undefined` if the schema has none. */
export function patternsFor(schema: JsonObject): Promise<Patterns> | undefined {
  return inspectSchema(schema).hasPatterns ? loadPatterns() : undefined;
}

/** Describes a tool's parameters in one line: `path (a string, required), limit (an integer)`. */
export function describeParameters({ properties, required }: JsonObject): string {
  const names = isJsonObject(properties) ? Object.entries(properties) : [];
  if (names.length === 0) return "It takes no arguments.";
  const needed = new Set(itemsOf(required));
  const shown = names
    .sort(([left], [right]) => Number(needed.has(right)) - Number(needed.has(left)))
    .slice(0, MOST_PARAMETERS)
    .map(([name, schema]) => {
      const type = isJsonObject(schema) ? schema["type"] : undefined;
      const facts = [
        ...(typeof type === "string" ? [withArticle(type)] : []),
        ...(needed.has(name) ? ["required"] : []),
      ];
      return facts.length === 0 ? name : `${name} (${facts.join(", ")})`;
    });
  const rest = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
  return `It takes ${shown.join(", ")}${rest}.`;
}
