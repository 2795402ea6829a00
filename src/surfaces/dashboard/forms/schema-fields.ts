import type { JsonMap } from "../../../page-api.ts";

/** A field of a form that was made from a JSON schema. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly kind: FieldKind;
  /** Of `choice`: the JSON texts of the values. */
  readonly choices: readonly string[];
  /** Of `group`. */
  readonly fields: readonly Field[];
  /** The value that applies if the field stays empty. */
  readonly fallback?: string;
}

/** `list` is a list of texts, one per line. `json` is used for all types without their own kind of field. */
export type FieldKind =
  | "text"
  | "lines"
  | "number"
  | "integer"
  | "boolean"
  | "choice"
  | "list"
  | "group"
  | "json";

/** The most that a form shows. The rest can be entered as JSON. */
const MOST_FIELDS = 60;
const MOST_CHOICES = 200;
const DEEPEST = 3;
const LONG_TEXT = 120;

/** Returns the fields of an object schema, or undefined if a form cannot represent it. */
export function fieldsOf(schema: JsonMap, depth = 0): readonly Field[] | undefined {
  const properties = schema["properties"];
  if (["$ref", "anyOf", "oneOf", "allOf", "patternProperties"].some((key) => key in schema)) return undefined;
  if (properties === undefined) return [];
  if (!isMap(properties)) return undefined;
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS) return undefined;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return entries.map(([name, value]) => toField(name, value, required.includes(name), depth));
}

function toField(name: string, schema: unknown, isRequired: boolean, depth: number): Field {
  const map = isMap(schema) ? schema : {};
  const description = textOf(map["description"]);
  const fallback = map["default"] === undefined ? undefined : JSON.stringify(map["default"]);
  return {
    name,
    title: textOf(map["title"]) ?? name,
    isRequired,
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { fallback }),
    ...shapeOf(map, depth),
  };
}

function shapeOf(schema: JsonMap, depth: number): Pick<Field, "kind" | "choices" | "fields"> {
  const plain = (kind: FieldKind): Pick<Field, "kind" | "choices" | "fields"> => ({
    kind,
    choices: [],
    fields: [],
  });
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (Array.isArray(values) && values.length > 0 && values.length <= MOST_CHOICES)
    return {
      kind: "choice",
      choices: [...new Set(values.map((value) => JSON.stringify(value)))],
      fields: [],
    };
  switch (onlyType(schema)) {
    case "string":
      return plain(isLong(schema) ? "lines" : "text");
    case "number":
      return plain("number");
    case "integer":
      return plain("integer");
    case "boolean":
      return plain("boolean");
    case "array":
      return plain(
        isMap(schema["items"]) && onlyType(schema["items"]) === "string" && !("enum" in schema["items"])
          ? "list"
          : "json",
      );
    case "object": {
      const fields = depth < DEEPEST ? fieldsOf(schema, depth + 1) : undefined;
      return fields === undefined || fields.length === 0
        ? plain("json")
        : { kind: "group", choices: [], fields };
    }
    default:
      return plain("json");
  }
}

/** The type, if there is one besides `null`. */
function onlyType(schema: JsonMap): string | undefined {
  if (["$ref", "anyOf", "oneOf", "allOf"].some((key) => key in schema)) return undefined;
  const { type } = schema;
  if (typeof type === "string") return type;
  const named = Array.isArray(type) ? type.filter((entry) => entry !== "null") : [];
  return named.length === 1 && typeof named[0] === "string" ? named[0] : undefined;
}

/** Texts that need several lines. */
function isLong({ maxLength, minLength, format, name }: JsonMap): boolean {
  if (format !== undefined) return false;
  return Number(maxLength) > LONG_TEXT * 10 || Number(minLength) > LONG_TEXT || name === "content";
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
