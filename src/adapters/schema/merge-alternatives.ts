import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject, listOf, objectOf, omit, textsOf } from "./json-object.ts";
import { followReference } from "./local-reference.ts";

const DEEPEST = 8;

/** How many more alternatives may be read. A few references can expand to a huge number of alternatives. */
export interface AlternativeBudget {
  left: number;
}

const MOST_ALTERNATIVES = 256;

/**
 * Merges alternatives into one object that accepts what any of them accepts, because several providers reject `anyOf` and similar
 * keywords next to `properties`. The result may accept more than the original, against which arguments are checked.
 */
export function mergeAlternatives(
  schema: JsonObject,
  root: JsonObject,
  allowance: AlternativeBudget = { left: MOST_ALTERNATIVES },
  depth = 0,
): JsonObject {
  const branchesOf = (keyword: string): JsonObject[] => {
    const listed = depth < DEEPEST ? listOf(schema[keyword]).slice(0, Math.max(0, allowance.left)) : [];
    allowance.left -= listed.length;
    const distinct = new Set(
      listed.filter(isObject).map((branch) => followReference(root, branch["$ref"]) ?? branch),
    );
    return [...distinct].map((branch) => mergeAlternatives(branch, root, allowance, depth + 1));
  };
  const all = branchesOf("allOf");
  const any = [...branchesOf("anyOf"), ...branchesOf("oneOf")];
  const found = new Map<string, JsonValue[]>();
  for (const { properties: declared } of [schema, ...all, ...any])
    for (const [name, property] of Object.entries(objectOf(declared))) {
      const forms = found.get(name);
      if (forms === undefined) found.set(name, [property]);
      else forms.push(property);
    }
  const properties = new Map([...found].map(([name, forms]) => [name, join(forms)]));
  const [first = [], ...others] = any.map((branch) => new Set(textsOf(branch["required"])));
  const required = new Set([
    ...textsOf(schema["required"]),
    ...all.flatMap((branch) => textsOf(branch["required"])),
    ...[...first].filter((name) => others.every((names) => names.has(name))),
  ]);
  return {
    ...omit(schema, ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const", "$ref"]),
    type: "object",
    properties: Object.fromEntries(properties),
    ...(schema["required"] !== undefined || required.size > 0
      ? { required: [...required].filter((name) => properties.has(name)) }
      : {}),
  };
}

/** Resolves the reference of a root schema, if it is one. */
export function resolveRoot(schema: JsonObject): JsonObject {
  let found = schema;
  for (let steps = 0; steps < DEEPEST && found["$ref"] !== undefined; steps += 1) {
    found = { ...omit(found, ["$ref"]), ...followReference(schema, found["$ref"]) };
  }
  return omit(found, ["$ref"]);
}

/** Returns a schema that accepts every value that one of a property's alternatives accepts. */
function join(forms: readonly JsonValue[]): JsonValue {
  const [only = {}] = forms;
  if (forms.length === 1) return only;
  const distinct = new Map<string, JsonValue>();
  for (const form of forms) {
    // The forms of a branch may themselves be joined.
    const isJoined = isObject(form) && Array.isArray(form["anyOf"]) && Object.keys(form).length === 1;
    for (const each of isJoined ? listOf(form["anyOf"]) : [form]) distinct.set(textOf(each), each);
  }
  return distinct.size === 1 ? only : { anyOf: [...distinct.values()] };
}

const texts = new WeakMap<object, string>();

/** Returns a schema as JSON. Cached, because branches share their schemas. */
function textOf(value: JsonValue): string {
  if (!isObject(value)) return JSON.stringify(value);
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text;
}
