import { isJsonObject, itemsOf, type JsonObject, type JsonValue, shortLine } from "../model/index.ts";
import { localTarget } from "./schema/schema-reference.ts";

const [DEEPEST, MOST_NODES] = [6, 300] as const;
const [LONGEST_NAME, LONGEST_VALUE, MOST_VALUES, MOST_CHOICES] = [100, 60, 40, 6] as const;
/** Optional members of nested objects are shown up to this number. */
const MOST_NESTED_OPTIONAL = 6;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
/** Many servers specify the date format only in the description. */
const DATE_FORM = /\bYYYY[-/.:\w]{1,20}\w/;
const FORMATS: Readonly<Record<string, string>> = { date: "YYYY-MM-DD", "date-time": "ISO 8601" };

/** A tool's parameters as text, such as `title: string`, `labels?: string[]`. */
export interface ParameterTexts {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** Renders the parameters of a tool with types, in the syntax of TypeScript, which models know best. */
export function describeParameterTypes(schema: JsonObject): ParameterTexts {
  const { properties } = schema;
  const context: Context = { root: schema, left: MOST_NODES };
  const needed = new Set(itemsOf(schema["required"]));
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  const required = entries.filter(([name]) => needed.has(name));
  const optional = entries.filter(([name]) => !needed.has(name));
  return {
    required: required.map(([name, member]) => `${nameText(name)}: ${typeText(member, context, 0)}`),
    optional: optional.map(([name, member]) => `${nameText(name)}?: ${typeText(member, context, 0)}`),
  };
}

/** Renders a tool's signature: `create_issue(repo: string, title: string, labels?: string[])`. Omits what is too long. */
export function signatureOf(name: string, schema: JsonObject, mostChars: number): string {
  const { required, optional } = describeParameterTypes(schema);
  const shown: string[] = [];
  let length = 0;
  for (const parameter of [...required, ...optional]) {
    length += parameter.length + 2;
    if (length > mostChars) break;
    shown.push(parameter);
  }
  const rest = required.length + optional.length - shown.length;
  return `${name}(${[...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ")})`;
}

/** The shared state of a rendering: the whole schema for references, and how many nodes it may still visit. */
interface Context {
  readonly root: JsonObject;
  left: number;
}

function nameText(name: string): string {
  return IDENTIFIER.test(name) && name.length <= LONGEST_NAME
    ? name
    : JSON.stringify(shortLine(name, LONGEST_NAME));
}

function typeText(schema: JsonValue | undefined, context: Context, depth: number): string {
  context.left -= 1;
  if (!isJsonObject(schema)) return "any";
  if (depth > DEEPEST || context.left < 0) return "…";
  const nested = (part: JsonValue | undefined): string => typeText(part, context, depth + 1);
  const { $ref: reference, enum: values, const: value, type, format, description } = schema;
  if (typeof reference === "string") return nested(localTarget(context.root, reference));
  if (values !== undefined) return choiceText(itemsOf(values));
  if (value !== undefined) return valueText(value);
  const choices = itemsOf(schema["anyOf"] ?? schema["oneOf"]);
  if (choices.length > 0) return unionOf(choices.slice(0, MOST_CHOICES).map(nested), choices.length);
  const all = itemsOf(schema["allOf"]);
  if (all.length > 0) return [...new Set(all.slice(0, MOST_CHOICES).map(nested))].join(" & ");
  const types = typeof type === "string" ? [type] : itemsOf(type);
  const texts = types.map((each) => {
    if (each === "array") return listOf(nested(schema["items"]));
    if (each === "object") return objectText(schema, context, depth);
    return each === "string" ? stringText(format, description) : shortLine(String(each), 20);
  });
  if (texts.length > 0) return unionOf(texts, texts.length);
  return isJsonObject(schema["properties"]) ? objectText(schema, context, depth) : "any";
}

function objectText(schema: JsonObject, context: Context, depth: number): string {
  const { properties } = schema;
  if (!isJsonObject(properties)) return "object";
  const needed = new Set(itemsOf(schema["required"]));
  const entries = Object.entries(properties);
  const required = entries.filter(([name]) => needed.has(name));
  const optional = entries.filter(([name]) => !needed.has(name));
  const shown = [...required, ...optional.slice(0, MOST_NESTED_OPTIONAL)].map(
    ([name, member]) =>
      `${nameText(name)}${needed.has(name) ? "" : "?"}: ${typeText(member, context, depth + 1)}`,
  );
  return `{${[...shown, ...(optional.length > MOST_NESTED_OPTIONAL ? ["…"] : [])].join(", ")}}`;
}

function stringText(format: JsonValue | undefined, description: JsonValue | undefined): string {
  const told = typeof description === "string" ? DATE_FORM.exec(description.slice(0, 500))?.[0] : undefined;
  const form = told ?? (typeof format === "string" ? FORMATS[format] : undefined);
  return form === undefined ? "string" : `string(${form})`;
}

function listOf(item: string): string {
  return item.includes("|") || item.includes("&") ? `(${item})[]` : item === "any" ? "array" : `${item}[]`;
}

/** Joins alternatives. `null` is omitted, because optional parameters can be omitted. */
function unionOf(texts: readonly string[], count: number): string {
  const distinct = [...new Set(texts)].filter((text) => text !== "null");
  if (count > texts.length) distinct.push("…");
  return distinct.length === 0 ? "null" : distinct.join("|");
}

function choiceText(values: readonly JsonValue[]): string {
  return unionOf(values.slice(0, MOST_VALUES).map(valueText), values.length);
}

function valueText(value: JsonValue): string {
  const text = JSON.stringify(value) ?? "null";
  return text.length <= LONGEST_VALUE ? shortLine(text, LONGEST_VALUE) : `${shortLine(text, LONGEST_VALUE)}…`;
}
