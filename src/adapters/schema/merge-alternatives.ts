import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject, listOf, objectOf, omit, textsOf } from "./json-object.ts";
import { followReference } from "./local-reference.ts";

const MOST_ALTERNATIVES = 100;
const DEEPEST = 8;

/**
 * One object that takes what any of its alternatives takes: several providers refuse `anyOf` and its like beside
 * `properties`. It may allow more than the server does; the arguments are checked against the original.
 */
export function mergeAlternatives(schema: JsonObject, root: JsonObject, depth = 0): JsonObject {
  const all = branchesOf(schema, "allOf", root, depth);
  const any = [...branchesOf(schema, "anyOf", root, depth), ...branchesOf(schema, "oneOf", root, depth)];
  const properties = new Map(Object.entries(objectOf(schema["properties"])));
  for (const branch of [...all, ...any]) {
    for (const [name, property] of Object.entries(objectOf(branch["properties"]))) {
      properties.set(name, join(properties.get(name), property));
    }
  }
  const [first = [], ...others] = any.map((branch) => textsOf(branch["required"]));
  const required = new Set([
    ...textsOf(schema["required"]),
    ...all.flatMap((branch) => textsOf(branch["required"])),
    ...first.filter((name) => others.every((names) => names.includes(name))),
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

/** The schema that a root stands for: itself, or what it refers to. */
export function resolveRoot(schema: JsonObject): JsonObject {
  let found = schema;
  for (let steps = 0; steps < DEEPEST && found["$ref"] !== undefined; steps += 1) {
    found = { ...omit(found, ["$ref"]), ...followReference(schema, found["$ref"]) };
  }
  return omit(found, ["$ref"]);
}

function branchesOf(schema: JsonObject, keyword: string, root: JsonObject, depth: number): JsonObject[] {
  if (depth >= DEEPEST) return [];
  return listOf(schema[keyword])
    .slice(0, MOST_ALTERNATIVES)
    .filter(isObject)
    .map((branch) => mergeAlternatives(followReference(root, branch["$ref"]) ?? branch, root, depth + 1));
}

function join(known: JsonValue | undefined, other: JsonValue): JsonValue {
  if (known === undefined || JSON.stringify(known) === JSON.stringify(other)) return other;
  const alternatives = isObject(known) && Array.isArray(known["anyOf"]) ? listOf(known["anyOf"]) : [known];
  return alternatives.some((alternative) => JSON.stringify(alternative) === JSON.stringify(other))
    ? known
    : { anyOf: [...alternatives, other] };
}
