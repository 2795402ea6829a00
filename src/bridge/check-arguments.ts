import { isJsonObject, type JsonObject, type JsonValue, nearest } from "../model/index.ts";

const DEEPEST = 32;
const MOST_COMPLAINTS = 10;

/**
 * Checks arguments against the plain parts of a schema (types, required, enums, unknown names), each complaint a
 * sentence a person or a model can act on. Bounded; what it does not understand it lets pass to the server.
 */
export function checkArguments(args: JsonObject, schema: JsonObject): string[] {
  const complaints: string[] = [];
  check(args, schema, "", 0, complaints);
  return complaints.slice(0, MOST_COMPLAINTS);
}

function check(
  value: JsonValue,
  schema: JsonValue | undefined,
  path: string,
  depth: number,
  complaints: string[],
): void {
  if (!isJsonObject(schema) || depth > DEEPEST || complaints.length >= MOST_COMPLAINTS) return;
  const types = typesOf(schema["type"]);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    complaints.push(
      `${label(path)} must be ${types.map(withArticle).join(" or ")}, not ${withArticle(typeName(value))}`,
    );
    return;
  }
  const allowed = schema["enum"];
  if (Array.isArray(allowed) && !allowed.some((option) => JSON.stringify(option) === JSON.stringify(value))) {
    complaints.push(
      `${label(path)} must be one of ${allowed.map((option) => JSON.stringify(option)).join(", ")}`,
    );
  }
  if (isJsonObject(value)) checkObject(value, schema, path, depth, complaints);
  else if (Array.isArray(value)) {
    const items = schema["items"];
    for (const [index, item] of (value as readonly JsonValue[]).entries()) {
      check(item, items, `${path}[${index}]`, depth + 1, complaints);
    }
  }
}

function checkObject(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  depth: number,
  complaints: string[],
): void {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly JsonValue[]) : [];
  for (const name of required) {
    if (typeof name === "string" && !Object.hasOwn(value, name))
      complaints.push(`${label(join(path, name))} is required`);
  }
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, name))
      check(item, properties[name], join(path, name), depth + 1, complaints);
    else if (schema["additionalProperties"] === false && schema["patternProperties"] === undefined) {
      complaints.push(
        `${label(join(path, name))} is not an argument of this tool${suggest(name, Object.keys(properties))}`,
      );
    }
  }
}

/** ` (did you mean "x"?)`, or the names there are. */
export function suggest(name: string, candidates: readonly string[]): string {
  const close = nearest(name, candidates);
  if (close !== undefined) return ` (did you mean "${close}"?)`;
  return candidates.length === 0 ? " (it takes none)" : ` (it takes ${candidates.slice(0, 12).join(", ")})`;
}

function typesOf(type: JsonValue | undefined): string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((item): item is string => typeof item === "string") : [];
}

function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
    case "string":
    case "boolean":
      return typeof value === type;
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    default:
      return true;
  }
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function withArticle(type: string): string {
  if (type === "null") return "null";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function label(path: string): string {
  return path === "" ? "the arguments" : `"${path}"`;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
