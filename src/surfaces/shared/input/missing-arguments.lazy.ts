import type { FormField, JsonObject, JsonValue } from "../../../index.ts";
import { safeLine, safeText, truncate } from "../../../terminal.ts";
import { isObject } from "../json-object.ts";
import { sampleOf } from "../render/parameters.ts";

/** Schemas come from servers, so all displayed parts are limited. */
const MOST_FIELDS = 50;
const MOST_OPTIONS = 100;
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 1_000;

/** Returns a form field for each required argument that is missing. A name that cannot be shown is omitted. */
export function missingArguments(schema: JsonObject, given: JsonObject): FormField[] {
  const { required, properties } = schema;
  const names = new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : []);
  return [...names]
    .filter((name): name is string => typeof name === "string" && !Object.hasOwn(given, name))
    .filter((name) => name.length <= LONGEST_NAME && safeLine(name) === name)
    .slice(0, MOST_FIELDS)
    .map((name) => {
      const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return toField(name, isObject(own) ? own : {}, schema);
    });
}

function toField(name: string, schema: JsonObject, root: JsonObject): FormField {
  const { type, description, items, format } = schema;
  const text = typeof description === "string" ? truncate(safeText(description), LONGEST_DESCRIPTION) : "";
  const field = {
    name,
    required: true,
    ...(schema["default"] !== undefined && { default: schema["default"] }),
  };
  const described = { ...field, ...(text !== "" && { description: text }) };
  const options = optionsOf(schema);
  if (options !== undefined) return { ...described, kind: "choice", options };
  const several = type === "array" && isObject(items) ? optionsOf(items) : undefined;
  if (several !== undefined)
    return { ...described, kind: "choices", options: several, ...bounds(schema, "minItems", "maxItems") };
  if (type === "boolean") return { ...described, kind: "boolean" };
  if (type === "integer" || type === "number")
    return { ...described, kind: type, ...bounds(schema, "minimum", "maximum") };
  if (type === "string" || type === undefined)
    return {
      ...described,
      kind: "text",
      ...bounds(schema, "minLength", "maxLength"),
      ...(typeof format === "string" && { format: truncate(safeLine(format), LONGEST_NAME) }),
    };
  // The default is not a text, so the form could not show it.
  const sample = truncate(safeLine(JSON.stringify(sampleOf(schema, root, name))), LONGEST_DESCRIPTION);
  const how =
    type === "array" || type === "object" ? `Type JSON, such as ${sample}` : "Type JSON, or a plain value.";
  return { name, required: true, kind: "text", description: `${text}\n${how}`.trim() };
}

function optionsOf({ enum: choices }: JsonObject): FormField["options"] | undefined {
  if (!Array.isArray(choices) || choices.length > MOST_OPTIONS) return undefined;
  const values = choices as readonly JsonValue[];
  return values.every((value) => typeof value === "string" && value !== "")
    ? (values as readonly string[]).map((value) => ({ value, title: value }))
    : undefined;
}

function bounds(schema: JsonObject, least: string, most: string): { least?: number; most?: number } {
  const [low, high] = [schema[least], schema[most]];
  return { ...(typeof low === "number" && { least: low }), ...(typeof high === "number" && { most: high }) };
}
