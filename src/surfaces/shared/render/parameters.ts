import type { JsonObject, JsonValue } from "../../../index.ts";
import { safeLine, truncate } from "../../../terminal.ts";
import { isObject } from "../json-object.ts";

/** One argument of a tool, described for people. Every text is safe to print. */
export interface Parameter {
  /** The key to type. Fields inside an object have a dotted key, and those inside the objects of a list `[]` before the dot. */
  readonly key: string;
  /** Whether it is a field inside another argument. */
  readonly isNested: boolean;
  readonly type: string;
  readonly isRequired: boolean;
  /** Default, bounds and format, one each. */
  readonly notes: readonly string[];
  readonly description: string;
  readonly schema: JsonObject;
}

/** Schemas come from servers, so all displayed parts are limited. */
const MOST_PARAMETERS = 100;
const MOST_LEVELS = 3;
const MOST_REFERENCES = 5;
const MOST_CHOICES = 12;
const LONGEST_VALUE = 80;
const LONGEST_DESCRIPTION = 1_000;

/** Lists a tool's arguments in the server's order, each followed by the fields inside it. */
export function listParameters(schema: JsonObject): Parameter[] {
  const found: Parameter[] = [];
  addFields(found, schema, { root: schema, prefix: "", levels: MOST_LEVELS });
  return found;
}

interface Place {
  readonly root: JsonObject;
  /** The keys that lead to an object, such as `options.` or `edits[].`. Empty at the top. */
  readonly prefix: string;
  /** How many levels may still be shown. */
  readonly levels: number;
}

function addFields(found: Parameter[], schema: JsonObject, { root, prefix, levels }: Place): void {
  const { properties, required } = schema;
  if (!isObject(properties) || levels === 0) return;
  const needed = new Set(Array.isArray(required) ? required : []);
  for (const [name, value] of Object.entries(properties)) {
    if (found.length >= MOST_PARAMETERS) return;
    const field = isObject(value) ? value : {};
    const target = targetOf(field, root);
    const key = `${prefix}${truncate(safeLine(name), LONGEST_VALUE)}`;
    const description = field["description"] ?? target["description"];
    found.push({
      key,
      isNested: prefix !== "",
      type: typeText(field, root),
      isRequired: needed.has(name),
      notes: notesOf({ ...target, ...field }),
      description:
        typeof description === "string" ? truncate(safeLine(description), LONGEST_DESCRIPTION) : "",
      schema: field,
    });
    const inside = objectIn(field, root);
    if (inside !== undefined)
      addFields(found, inside.schema, { root, prefix: `${key}${inside.suffix}.`, levels: levels - 1 });
  }
}

/** Returns the object that a schema describes: itself, the items of a list, or the only one of several alternatives. */
function objectIn(schema: JsonObject, root: JsonObject): { schema: JsonObject; suffix: string } | undefined {
  const found = alternativesOf(schema, root).flatMap((each) => {
    if (isObject(each["properties"])) return [{ schema: each, suffix: "" }];
    const items = isObject(each["items"]) ? targetOf(each["items"], root) : {};
    return isObject(items["properties"]) ? [{ schema: items, suffix: "[]" }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

function alternativesOf(schema: JsonObject, root: JsonObject): JsonObject[] {
  const target = targetOf(schema, root);
  const union = target["anyOf"] ?? target["oneOf"];
  if (!Array.isArray(union)) return [target];
  return union.slice(0, MOST_CHOICES).flatMap((each) => (isObject(each) ? [targetOf(each, root)] : []));
}

/** Follows references inside the schema. Returns the last reference if it leads nowhere. */
function targetOf(schema: JsonObject, root: JsonObject): JsonObject {
  let target = schema;
  for (let step = 0; step < MOST_REFERENCES; step += 1) {
    const { $ref } = target;
    if (typeof $ref !== "string" || !$ref.startsWith("#/")) return target;
    const path = $ref.slice(2).split("/").map(unescapePointer);
    const next = path.reduce<JsonValue | undefined>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      root,
    );
    if (!isObject(next)) return target;
    target = next;
  }
  return target;
}

function unescapePointer(text: string): string {
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Returns a value that the schema allows: an example, the default, a choice, or one made up from the type and the key. */
export function sampleOf(
  schema: JsonObject,
  root: JsonObject,
  key = "",
  levels: number = MOST_LEVELS,
): JsonValue {
  const target: JsonObject = alternativesOf(schema, root).find(({ type: each }) => each !== "null") ?? {};
  const all: JsonObject = { ...target, ...schema };
  const { examples, enum: choices, type, minimum, properties, required, items } = all;
  const first = (value: JsonValue | undefined): JsonValue | undefined =>
    Array.isArray(value) ? value[0] : undefined;
  const offered = first(examples) ?? all["default"] ?? all["const"] ?? first(choices);
  if (offered !== undefined && offered !== null) return offered;
  if (type === "number" || type === "integer") return typeof minimum === "number" ? minimum : 1;
  if (type === "boolean") return true;
  if (type === "array") {
    const isKnown = isObject(items) && Object.keys(items).length > 0 && levels > 0;
    return isKnown ? [sampleOf(items, root, key, levels - 1)] : [];
  }
  if (type === "object" || isObject(properties)) {
    const needed = Array.isArray(required) && levels > 0 ? required.slice(0, MOST_CHOICES) : [];
    return Object.fromEntries(
      needed.flatMap((name) => {
        const field = isObject(properties) && typeof name === "string" ? properties[name] : undefined;
        return isObject(field) ? [[String(name), sampleOf(field, root, String(name), levels - 1)]] : [];
      }),
    );
  }
  if (/director|folder|^dir$|^cwd$/i.test(key)) return ".";
  return /path|file/i.test(key) ? "README.md" : "text";
}

/** Returns a schema's type as TypeScript would write it: `string[]`, `"fast" | "slow"`. */
export function typeText(
  schema: JsonValue | undefined,
  root: JsonObject = {},
  levels: number = MOST_LEVELS,
): string {
  if (!isObject(schema) || levels === 0) return "any";
  const target = targetOf(schema, root);
  const { type, enum: choices, anyOf, oneOf, items, $ref } = target;
  if (target["const"] !== undefined) return valueText(target["const"]);
  if (Array.isArray(choices)) return alternatives(choices.map(valueText));
  if (typeof $ref === "string") return truncate(safeLine($ref.split("/").at(-1) ?? ""), LONGEST_VALUE);
  const union = anyOf ?? oneOf;
  if (Array.isArray(union))
    return alternatives(union.slice(0, MOST_CHOICES + 1).map((each) => typeText(each, root, levels - 1)));
  if (Array.isArray(type)) return alternatives(type.map((each) => plainType(each)));
  if (type === undefined && isObject(target["properties"])) return "object";
  if (type !== "array") return plainType(type);
  const item = typeText(items, root, levels - 1);
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
    // The schema of an integer without bounds has the range of safe integers.
    if (least === Number.MIN_SAFE_INTEGER && most === Number.MAX_SAFE_INTEGER) return [];
    return [`${least} to ${most}${unit}`];
  }
  if (typeof least === "number") return [`at least ${least}${unit}`];
  return typeof most === "number" ? [`at most ${most}${unit}`] : [];
}

function valueText(value: JsonValue): string {
  return truncate(safeLine(JSON.stringify(value) ?? ""), LONGEST_VALUE);
}
