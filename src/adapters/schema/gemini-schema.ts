import type { JsonObject, JsonValue } from "../../index.ts";
import { isObject, listOf, mapValues, objectOf, textsOf } from "./json-object.ts";
import { followReference } from "./local-reference.ts";
import { mergeAlternatives } from "./merge-alternatives.ts";

const DEEPEST = 24;
const MOST_SCHEMAS = 5_000;
/** How many characters may be repeated. A few references, or a description of alternatives, can repeat one long text thousands of times. */
const MOST_REPEATED = 500_000;
const FORMATS = new Set(["date-time", "float", "double", "int32", "int64"]);
const KEPT = ["minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum", "maximum"] as const;
const ANY_VALUE: JsonObject = {
  anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "object" }],
};

/**
 * Converts a schema for Gemini, which supports a subset of OpenAPI 3.0: no references, no type lists, `anyOf` without other keywords,
 * `enum` only for strings, and arrays with `items`. References are expanded; a recursive reference becomes a plain object.
 */
export function toGeminiSchema(schema: JsonObject): JsonObject {
  const reader = new GeminiReader(schema);
  return reader.read({ ...schema, type: "object" }, 0);
}

class GeminiReader {
  readonly #root: JsonObject;
  readonly #alternatives = { left: MOST_SCHEMAS };
  readonly #sizes = new Map<JsonObject, number>();
  #left = MOST_SCHEMAS;
  #room = MOST_REPEATED;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  read(value: JsonValue, depth: number, seen: ReadonlySet<string> = new Set()): JsonObject {
    this.#left -= 1;
    if (!isObject(value)) return ANY_VALUE;
    if (depth > DEEPEST || this.#left < 0) return { type: "object" };
    const { $ref } = value;
    if (typeof $ref === "string") {
      const target = followReference(this.#root, $ref);
      if (target === undefined || seen.has($ref) || !this.#hasRoomFor(target))
        return this.#described({ type: "object" }, value);
      const { $ref: _, ...beside } = value;
      return this.read({ ...target, ...beside }, depth + 1, new Set([...seen, $ref]));
    }
    return this.#readPlain(value, (inner) => this.read(inner, depth + 1, seen));
  }

  #hasRoomFor(target: JsonObject): boolean {
    const size = this.#sizes.get(target) ?? JSON.stringify(target).length;
    this.#sizes.set(target, size);
    return this.#take(size);
  }

  /** Subtracts from the characters that may be repeated. Returns whether enough were left. */
  #take(size: number): boolean {
    if (size > this.#room) return false;
    this.#room -= size;
    return true;
  }

  #readPlain(schema: JsonObject, inner: (value: JsonValue) => JsonObject): JsonObject {
    const types = typesOf(schema);
    if (types.includes("object") && types.length === 1) return this.#readObject(schema, inner);
    const alternatives = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
    if (alternatives.length > 0) {
      const real = alternatives.filter((alternative) => !isNull(alternative));
      return this.#oneOf(real.map(inner), schema, real.length < alternatives.length);
    }
    const [first, ...rest] = listOf(schema["allOf"]);
    if (first !== undefined) {
      const { allOf: _, ...beside } = schema;
      const parts = new Set([first, ...rest].map((part) => resolved(part, this.#root)));
      return inner(Object.fromEntries([beside, ...parts].flatMap((part) => Object.entries(part))));
    }
    const named = types.filter((type) => type !== "null");
    const isNullable = named.length < types.length || schema["nullable"] === true;
    const [type] = named;
    if (type === undefined)
      return isNullable ? nullable(this.#described(ANY_VALUE, schema)) : this.#described(ANY_VALUE, schema);
    if (named.length > 1)
      return this.#oneOf(
        named.map((name) => inner({ ...schema, type: name, nullable: false })),
        schema,
        isNullable,
      );
    const read =
      type === "object"
        ? this.#readObject(schema, inner)
        : type === "array"
          ? this.#readList(schema, inner)
          : this.#readScalar(schema, type);
    return isNullable ? { ...read, nullable: true } : read;
  }

  #readObject(schema: JsonObject, inner: (value: JsonValue) => JsonObject): JsonObject {
    const merged = mergeAlternatives(schema, this.#root, this.#alternatives);
    const properties = objectOf(merged["properties"]);
    const required = textsOf(merged["required"]).filter((name) => Object.hasOwn(properties, name));
    return this.#described(
      {
        type: "object",
        // Gemini rejects an empty `properties`.
        ...(Object.keys(properties).length > 0 && { properties: mapValues(properties, inner) }),
        ...(required.length > 0 && { required }),
        ...(schema["nullable"] === true && { nullable: true }),
      },
      schema,
    );
  }

  #readList(schema: JsonObject, inner: (value: JsonValue) => JsonObject): JsonObject {
    const { items } = schema;
    const tuple = [...listOf(schema["prefixItems"]), ...listOf(items)];
    const held = tuple.length > 0 ? this.#oneOf(tuple.map(inner), {}, false) : inner(items ?? true);
    return this.#described({ type: "array", items: held, ...kept(schema, ["minItems", "maxItems"]) }, schema);
  }

  #readScalar(schema: JsonObject, type: string): JsonObject {
    const values = schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]];
    const texts = values.filter((value) => typeof value === "string" && value !== "");
    if (type === "string") {
      const { format } = schema;
      return this.#described(
        {
          type,
          ...(texts.length > 0 && { enum: texts }),
          ...(typeof format === "string" && FORMATS.has(format) && { format }),
          ...kept(schema, ["minLength", "maxLength", "pattern"]),
        },
        schema,
      );
    }
    const numbers = type === "integer" || type === "number" ? boundsOf(schema) : {};
    const choice =
      values.length > 0 ? `One of: ${values.map((value) => JSON.stringify(value)).join(", ")}.` : "";
    return this.#described({ type, ...numbers }, schema, choice);
  }

  /** Creates an `anyOf` without other keywords. The description moves into its alternatives. */
  #oneOf(alternatives: readonly JsonObject[], around: JsonObject, isNullable: boolean): JsonObject {
    const flat = alternatives.flatMap((alternative) =>
      listOf(alternative["anyOf"] ?? [alternative]).filter(isObject),
    );
    const distinct = [...new Map(flat.map((each) => [JSON.stringify(each), each])).values()];
    const [only] = distinct;
    const result = only !== undefined && distinct.length === 1 ? only : { anyOf: distinct };
    return this.#described(
      isNullable ? nullable(distinct.length === 0 ? ANY_VALUE : result) : result,
      around,
    );
  }

  #described(schema: JsonObject, { description }: JsonObject, also = ""): JsonObject {
    const words = [typeof description === "string" ? description : "", also]
      .filter((each) => each !== "")
      .join(" ");
    if (words === "") return schema;
    const alternatives = listOf(schema["anyOf"]).filter(isObject);
    if (alternatives.length === 0) return { ...schema, description: words };
    const most = this.#take(words.length * alternatives.length) ? alternatives.length : 1;
    const anyOf = alternatives.map((each, at) => (at < most ? { description: words, ...each } : each));
    return { anyOf };
  }
}

/** Converts exclusive bounds to inclusive ones. The call is still checked against the original schema. */
function boundsOf(schema: JsonObject): JsonObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  return {
    ...(typeof above === "number" && { minimum: above }),
    ...(typeof below === "number" && { maximum: below }),
    ...kept(schema, ["minimum", "maximum"]),
  };
}

function kept(schema: JsonObject, keys: readonly (typeof KEPT)[number][]): JsonObject {
  const wanted = (key: (typeof KEPT)[number]): boolean =>
    key === "pattern" ? typeof schema[key] === "string" : typeof schema[key] === "number";
  return Object.fromEntries(keys.filter(wanted).map((key) => [key, schema[key] ?? null]));
}

function nullable(schema: JsonObject): JsonObject {
  const alternatives = listOf(schema["anyOf"]).filter(isObject);
  if (alternatives.length === 0) return { ...schema, nullable: true };
  return { anyOf: alternatives.map((each) => ({ ...each, nullable: true })) };
}

/** Returns the types of a schema, declared or inferred. */
function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return [...new Set(textsOf(type as readonly JsonValue[]))];
  if (schema["properties"] !== undefined) return ["object"];
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return ["array"];
  const values = schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]];
  return [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
}

function isNull(schema: JsonValue): boolean {
  return isObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}

function resolved(part: JsonValue, root: JsonObject): JsonObject {
  return followReference(root, objectOf(part)["$ref"]) ?? objectOf(part);
}
