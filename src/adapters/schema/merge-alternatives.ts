import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject, listOf, objectOf, omit, textsOf } from "./json-object.ts";
import { followReference } from "./local-reference.ts";

const DEEPEST = 8;

/** How many more alternatives may be read. References can expand a few alternatives to a great many. */
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
  const properties = new Map(Object.entries(objectOf(schema["properties"])));
  for (const branch of [...all, ...any]) {
    for (const [name, property] of Object.entries(objectOf(branch["properties"]))) {
      properties.set(name, join(properties.get(name), property));
    }
  }
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

function join(known: JsonValue | undefined, other: JsonValue): JsonValue {
  if (known === undefined || isSame(known, other)) return other;
  const alternatives = isObject(known) && Array.isArray(known["anyOf"]) ? listOf(known["anyOf"]) : [known];
  return alternatives.some((alternative) => isSame(alternative, other))
    ? known
    : { anyOf: [...alternatives, other] };
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  return left === right || textOf(left) === textOf(right);
}

const texts = new WeakMap<object, string>();

/** Returns a schema as JSON. Cached, because it is compared with many alternatives. */
function textOf(value: JsonValue): string {
  if (!isObject(value)) return JSON.stringify(value);
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text;
}
