import { isJsonObject, itemsOf, type JsonObject, type JsonValue, memoize } from "../../model/index.ts";

/** The arguments of most tools: an object whose members are texts, numbers and booleans. */
interface PlainShape {
  readonly types: ReadonlyMap<string, PlainType>;
  readonly required: readonly string[];
  readonly isClosed: boolean;
}

type PlainType = "string" | "number" | "integer" | "boolean";

const TYPES: ReadonlySet<JsonValue | undefined> = new Set<PlainType>([
  "string",
  "number",
  "integer",
  "boolean",
]);
/** Keywords that do not restrict a value. */
const NOTES: ReadonlySet<string> = new Set(["title", "description", "default", "examples", "$schema"]);

/**
 * Returns whether the arguments are valid, without the cost of the complete check. `false` also means that the schema is not a plain
 * one, so only the complete check can tell.
 */
export function fitsPlainShape(args: JsonObject, schema: JsonObject): boolean {
  const shape = plainShapeOf(schema);
  if (shape === false || !isJsonObject(args)) return false; // JavaScript and models can pass anything
  for (const name of shape.required) if (!Object.hasOwn(args, name)) return false;
  for (const name of Object.keys(args)) {
    const type = shape.types.get(name);
    if (type === undefined ? shape.isClosed : !hasPlainType(args[name], type)) return false;
  }
  return true;
}

function hasPlainType(value: JsonValue | undefined, type: PlainType): boolean {
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

const plainShapeOf = memoize((schema: JsonObject): PlainShape | false => {
  const types = new Map<string, PlainType>();
  const { type, properties = {}, required = [], additionalProperties = true, ...rest } = schema;
  if (type !== "object" || !isJsonObject(properties) || typeof additionalProperties !== "boolean")
    return false;
  if (!Object.keys(rest).every((key) => NOTES.has(key))) return false;
  const names = itemsOf(required);
  if (!names.every((name) => typeof name === "string")) return false;
  for (const [name, member] of Object.entries(properties)) {
    const plain = isJsonObject(member) ? plainTypeOf(member) : undefined;
    if (plain === undefined) return false;
    types.set(name, plain);
  }
  return { types, required: names, isClosed: !additionalProperties };
});

function plainTypeOf({ type, ...rest }: JsonObject): PlainType | undefined {
  if (!TYPES.has(type) || !Object.keys(rest).every((key) => NOTES.has(key))) return undefined;
  return type as PlainType;
}
