import type { JsonObject, JsonValue } from "../../../index.ts";
import { safeLine, truncate } from "../../../terminal.ts";
import { isObject } from "../json-object.ts";

/** One argument of a tool, described for people. Every text is safe to print. */
export interface Parameter {
  /** The key to type. Fields inside an object have a dotted key. */
  readonly key: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Default, bounds and format, one each. */
  readonly notes: readonly string[];
  readonly description: string;
  readonly schema: JsonObject;
}

/** Schemas come from servers, so everything that is shown of them is limited. */
const MOST_PARAMETERS = 100;
const MOST_LEVELS = 3;
const MOST_CHOICES = 12;
const LONGEST_VALUE = 80;
const LONGEST_DESCRIPTION = 1_000;

/** Lists a tool's arguments in the server's order. */
export function listParameters(schema: JsonObject): Parameter[] {
  return fieldsOf(schema, "", MOST_LEVELS).slice(0, MOST_PARAMETERS);
}

function fieldsOf(schema: JsonObject, prefix: string, levels: number): Parameter[] {
  const { properties, required } = schema;
  if (!isObject(properties) || levels === 0) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties)
    .slice(0, MOST_PARAMETERS)
    .flatMap(([name, value]) => {
      const field = isObject(value) ? value : {};
      const key = `${prefix}${truncate(safeLine(name), LONGEST_VALUE)}`;
      const description = typeof field["description"] === "string" ? field["description"] : "";
      const parameter: Parameter = {
        key,
        type: typeText(field),
        isRequired: needed.has(name),
        notes: notesOf(field),
        description: truncate(safeLine(description), LONGEST_DESCRIPTION),
        schema: field,
      };
      return [parameter, ...fieldsOf(field, `${key}.`, levels - 1)];
    });
}

/** Returns a schema's type as TypeScript would write it: `string[]`, `"fast" | "slow"`. */
export function typeText(schema: JsonValue | undefined, levels: number = MOST_LEVELS): string {
  if (!isObject(schema) || levels === 0) return "any";
  const { type, enum: choices, anyOf, oneOf, items, $ref } = schema;
  if (schema["const"] !== undefined) return valueText(schema["const"]);
  if (Array.isArray(choices)) return alternatives(choices.map(valueText));
  if (typeof $ref === "string") return truncate(safeLine($ref.split("/").at(-1) ?? ""), LONGEST_VALUE);
  const union = anyOf ?? oneOf;
  if (Array.isArray(union))
    return alternatives(union.slice(0, MOST_CHOICES + 1).map((each) => typeText(each, levels - 1)));
  if (Array.isArray(type)) return alternatives(type.map((each) => plainType(each)));
  if (type !== "array") return plainType(type);
  const item = typeText(items, levels - 1);
  return item.includes(" ") ? `(${item})[]` : `${item}[]`;
}

function plainType(type: JsonValue | undefined): string {
  return typeof type === "string" ? truncate(safeLine(type), LONGEST_VALUE) : "any";
}

function alternatives(texts: readonly string[]): string {
  const shown = [...new Set(texts)];
  const more = shown.length > MOST_CHOICES ? ["…"] : [];
  return [...shown.slice(0, MOST_CHOICES), ...more].join(" | ");
}

function notesOf(schema: JsonObject): string[] {
  const { default: preset, format, pattern, multipleOf } = schema;
  return [
    ...(preset === undefined ? [] : [`default ${valueText(preset)}`]),
    ...range(schema, "minimum", "maximum", ""),
    ...range(schema, "exclusiveMinimum", "exclusiveMaximum", " (exclusive)"),
    ...range(schema, "minLength", "maxLength", " characters"),
    ...range(schema, "minItems", "maxItems", " items"),
    ...(typeof multipleOf === "number" ? [`a multiple of ${multipleOf}`] : []),
    ...(typeof format === "string" ? [`format ${truncate(safeLine(format), LONGEST_VALUE)}`] : []),
    ...(typeof pattern === "string" ? [`matches /${truncate(safeLine(pattern), LONGEST_VALUE)}/`] : []),
  ];
}

function range(schema: JsonObject, low: string, high: string, unit: string): string[] {
  const [least, most] = [schema[low], schema[high]];
  if (typeof least === "number" && typeof most === "number") {
    // The schema of an integer without bounds of its own has the range of safe integers.
    if (least === Number.MIN_SAFE_INTEGER && most === Number.MAX_SAFE_INTEGER) return [];
    return [`${least} to ${most}${unit}`];
  }
  if (typeof least === "number") return [`at least ${least}${unit}`];
  return typeof most === "number" ? [`at most ${most}${unit}`] : [];
}

function valueText(value: JsonValue): string {
  return truncate(safeLine(JSON.stringify(value) ?? ""), LONGEST_VALUE);
}
