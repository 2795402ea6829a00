import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject, listOf, mapValues, objectOf, textsOf } from "./json-object.ts";
import { followReference } from "./local-reference.ts";
import { mergeAlternatives, resolveRoot } from "./merge-alternatives.ts";
import type { ProviderSchema } from "./provider-schema.ts";

const DEEPEST = 10;
const MOST_PROPERTIES = 5_000;
const FORMATS = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);
const KEPT = new Set([
  "type",
  "enum",
  "const",
  "description",
  "title",
  "pattern",
  "multipleOf",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
]);

/**
 * Converts a schema for OpenAI's strict mode, in which every property is required and no others are allowed. Optional properties
 * accept `null`, which is removed again from the model's arguments. Returns `undefined` if a schema cannot be converted, for example
 * because it allows any keys.
 */
export function toStrictSchema(original: JsonObject): ProviderSchema | undefined {
  const root = mergeAlternatives(resolveRoot(original), original);
  try {
    const definitions = ["$defs", "definitions"].filter((key) => isObject(root[key]));
    let properties = 0;
    const count = (more: number): void => {
      properties += more;
      if (properties > MOST_PROPERTIES) throw new NotStrict();
    };
    const schema = {
      ...strictObject(root, 0, count),
      ...Object.fromEntries(
        definitions.map((key) => [key, mapValues(objectOf(root[key]), (inner) => strict(inner, 1, count))]),
      ),
    };
    return { schema, strict: true, restore: (args) => objectOf(withoutNulls(args, root, root, 0)) };
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

class NotStrict extends Error {}

function strict(schema: JsonValue, depth: number, count: (more: number) => void): JsonObject {
  if (!isObject(schema) || depth > DEEPEST) throw new NotStrict();
  const { $ref } = schema;
  if (typeof $ref === "string") {
    if (!$ref.startsWith("#")) throw new NotStrict();
    return { $ref };
  }
  if (schema["allOf"] !== undefined || schema["patternProperties"] !== undefined) throw new NotStrict();
  const alternatives = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (alternatives.length > 0) {
    if (schema["properties"] !== undefined) throw new NotStrict();
    const { description } = schema;
    return {
      ...(typeof description === "string" && { description }),
      anyOf: alternatives.map((alternative) => strict(alternative, depth + 1, count)),
    };
  }
  const { type, items, format } = schema;
  if (type === undefined && schema["enum"] === undefined && schema["const"] === undefined)
    throw new NotStrict();
  if (includesType(type, "object")) return strictObject(schema, depth, count);
  return {
    ...plain(schema),
    ...(typeof format === "string" && FORMATS.has(format) && { format }),
    ...(includesType(type, "array") && { items: strict(items ?? true, depth + 1, count) }),
  };
}

function strictObject(schema: JsonObject, depth: number, count: (more: number) => void): JsonObject {
  const properties = objectOf(schema["properties"]);
  const names = Object.keys(properties);
  const extra = schema["additionalProperties"];
  const isClosed = extra === false || (extra === undefined && (names.length > 0 || depth === 0));
  if (!isClosed || schema["patternProperties"] !== undefined) throw new NotStrict();
  count(names.length);
  const required = new Set(textsOf(schema["required"]));
  return {
    ...plain(schema),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const inner = strict(property, depth + 1, count);
        return [name, required.has(name) ? inner : orNull(inner)];
      }),
    ),
    required: names,
    additionalProperties: false,
  };
}

function plain(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => KEPT.has(key)));
}

function orNull(schema: JsonObject): JsonObject {
  if (allowsNull(schema)) return schema;
  const { type, description, enum: values } = schema;
  if (typeof type === "string" && schema["const"] === undefined) {
    return {
      ...schema,
      type: [type, "null"],
      ...(Array.isArray(values) && { enum: [...listOf(values), null] }),
    };
  }
  const { description: _, ...inner } = schema;
  const alternatives = Array.isArray(inner["anyOf"]) ? listOf(inner["anyOf"]) : [inner];
  return {
    ...(typeof description === "string" && { description }),
    anyOf: [...alternatives, { type: "null" }],
  };
}

function allowsNull(schema: JsonObject): boolean {
  return (
    includesType(schema["type"], "null") ||
    schema["const"] === null ||
    (schema["type"] === undefined && listOf(schema["enum"]).includes(null)) ||
    [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].some(
      (each) => isObject(each) && allowsNull(each),
    )
  );
}

/** Removes optional properties that are `null` and for which the original schema does not allow `null`. */
function withoutNulls(value: JsonValue, schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  if (depth > 4 * DEEPEST) return value;
  const target = followReference(root, schema["$ref"]) ?? schema;
  if (Array.isArray(value)) {
    const items = objectOf(target["items"]);
    return listOf(value).map((item) => withoutNulls(item, items, root, depth + 1));
  }
  if (!isObject(value)) return value;
  const shape = shapeOf(value, target, root);
  const properties = objectOf(shape["properties"]);
  const required = new Set(textsOf(shape["required"]));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
      const property = objectOf(Object.hasOwn(properties, name) ? properties[name] : undefined);
      const inner = followReference(root, property["$ref"]) ?? property;
      if (member === null && !required.has(name) && !allowsNull(inner)) return [];
      return [[name, withoutNulls(member, inner, root, depth + 1)]];
    }),
  );
}

/** Returns the alternative that defines every member of the value. */
function shapeOf(value: JsonObject, schema: JsonObject, root: JsonObject): JsonObject {
  const alternatives = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])]
    .filter(isObject)
    .map((each) => followReference(root, each["$ref"]) ?? each);
  const knows = (shape: JsonObject): boolean =>
    Object.keys(value).every((name) => Object.hasOwn(objectOf(shape["properties"]), name));
  return alternatives.find(knows) ?? schema;
}

function includesType(type: JsonValue | undefined, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
