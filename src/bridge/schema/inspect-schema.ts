import {
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  safeText,
  type ToolDefinition,
} from "../../model/index.ts";
import { LIST_OF_SCHEMAS, MAP_OF_SCHEMAS, ONE_SCHEMA, TYPES, WORDS } from "./schema-keywords.ts";
import { localTarget } from "./schema-reference.ts";

const LARGEST = 256 * 1024;
const DEEPEST = 32;
const MOST_PATHS = 10_000;
/** The longest chain of references. Following a longer one could overflow the stack. */
const LONGEST_CHAIN = 1_000;

/** What a keyword contains: schemas by name, a list of schemas, one schema, or either one or a list. */
const HOLDS: ReadonlyMap<string, "map" | "list" | "one" | "either"> = new Map([
  ...[...MAP_OF_SCHEMAS].map((key) => [key, "map"] as const),
  ...[...LIST_OF_SCHEMAS].map((key) => [key, "list"] as const),
  ...[...ONE_SCHEMA].map((key) => [key, "one"] as const),
  ["items", "either"],
]);

/** The findings about a schema. */
export interface SchemaInspection {
  /** Why it must not be passed to a model, as a phrase that follows "its schema". */
  readonly trouble?: string;
  /** Whether it contains regular expressions. */
  readonly hasPatterns: boolean;
  /** Whether its texts contain hidden characters. */
  readonly hasHidden: boolean;
}

const known = new WeakMap<JsonObject, SchemaInspection>();

/** Inspects a schema before it is compiled, checked or sent: whether it is well formed, and whether it is too large. */
export function inspectSchema(schema: JsonObject): SchemaInspection {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const inspection = inspect(schema);
  known.set(schema, inspection);
  return inspection;
}

/** The version of the inspection rules. Schemas that passed an older version are inspected again. */
export const INSPECTION_VERSION = 1;

/** Returns whether a tool's schemas have no trouble, no patterns and no hidden characters. */
export function isPlain({ inputSchema, outputSchema }: ToolDefinition): boolean {
  return (
    inspectSchema(inputSchema) === PLAIN_SCHEMA &&
    (!isJsonObject(outputSchema) || inspectSchema(outputSchema) === PLAIN_SCHEMA)
  );
}

/** Marks tools as plain because an earlier inspection found them so. */
export function markAsPlain(tools: readonly ToolDefinition[]): void {
  for (const { inputSchema, outputSchema } of tools) {
    known.set(inputSchema, PLAIN_SCHEMA);
    if (isJsonObject(outputSchema)) known.set(outputSchema, PLAIN_SCHEMA);
  }
}

/** Thrown to stop the inspection. */
class SchemaError extends Error {}

/** The state of an inspection. A plain object with functions, because it is faster than a class before code is optimized. */
interface SchemaScan {
  readonly root: JsonObject;
  size: number;
  schemas: number;
  hasPatterns: boolean;
  hasHidden: boolean;
  hasReferences: boolean;
}

/** The result for most schemas. */
const PLAIN_SCHEMA: SchemaInspection = { hasPatterns: false, hasHidden: false };

function inspect(root: JsonObject): SchemaInspection {
  const scan: SchemaScan = {
    root,
    size: 0,
    schemas: 0,
    hasPatterns: false,
    hasHidden: false,
    hasReferences: false,
  };
  try {
    visit(root, 0, scan);
    if (scan.hasReferences) countPaths(root);
    const { hasPatterns, hasHidden } = scan;
    return hasPatterns || hasHidden ? { hasPatterns, hasHidden } : PLAIN_SCHEMA;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { trouble: error.message, hasPatterns: scan.hasPatterns, hasHidden: true };
  }
}

function visit(schema: JsonValue, depth: number, scan: SchemaScan): void {
  if (typeof schema === "boolean") return;
  if (!isJsonObject(schema)) throw new SchemaError("contains a value that is not a schema");
  if (depth > DEEPEST) throw new SchemaError(`is nested deeper than ${DEEPEST} levels`);
  scan.schemas += 1;
  if (scan.schemas > MOST_PATHS) throw new SchemaError(`has more than ${MOST_PATHS} parts`);
  for (const key in schema) {
    const value = schema[key];
    if (value === undefined) continue;
    scan.size += key.length + 4;
    switch (HOLDS.get(key)) {
      case undefined:
        visitOther(key, value, scan);
        measure(value, scan);
        break;
      case "map":
        visitMap(key, value, depth, scan);
        break;
      case "list":
        visitList(key, value, depth, scan);
        break;
      case "either":
        if (isList(value)) visitList(key, value, depth, scan);
        else visit(value, depth + 1, scan);
        break;
      case "one":
        visit(value, depth + 1, scan);
    }
    refuseLarge(scan);
  }
}

function visitList(key: string, value: JsonValue, depth: number, scan: SchemaScan): void {
  if (!isList(value)) throw new SchemaError(`has "${key}" that is not a list`);
  for (const item of value) visit(item, depth + 1, scan);
}

function visitMap(key: string, value: JsonValue, depth: number, scan: SchemaScan): void {
  if (value === null && depth === 0) return; // `convertSchema` replaces it
  if (!isJsonObject(value)) throw new SchemaError(`has "${key}" that is not an object`);
  if (key === "patternProperties") scan.hasPatterns = true;
  for (const name in value) {
    scan.size += name.length + 4;
    visit(value[name] ?? null, depth + 1, scan);
  }
}

function visitOther(key: string, value: JsonValue, scan: SchemaScan): void {
  switch (key) {
    case "type":
      if (!(isList(value) ? value.every(isType) : isType(value)))
        throw new SchemaError("has an unknown type");
      return;
    case "required":
      if (!isList(value) || !value.every((name) => typeof name === "string"))
        throw new SchemaError('has "required" that is not a list of names');
      return;
    case "enum":
      if (!isList(value)) throw new SchemaError('has "enum" that is not a list');
      return;
    case "pattern":
      if (typeof value !== "string") throw new SchemaError('has "pattern" that is not a string');
      scan.hasPatterns = true;
      return;
    case "$ref":
      if (typeof value !== "string") throw new SchemaError('has "$ref" that is not a string');
      if (value.startsWith("#") && localTarget(scan.root, value) === undefined)
        throw new SchemaError("refers to a part that does not exist");
      scan.hasReferences = true;
      return;
    default:
      if (!scan.hasHidden && typeof value === "string" && WORDS.has(key))
        scan.hasHidden = safeText(value) !== value;
  }
}

function refuseLarge({ size }: SchemaScan): void {
  if (size > LARGEST) throw new SchemaError(`is larger than ${LARGEST / 1024} KB`);
}

function measure(value: JsonValue, scan: SchemaScan): void {
  if (typeof value === "string") scan.size += value.length + 2;
  else if (typeof value !== "object" || value === null) scan.size += 6;
  else if (isList(value)) for (const item of value) measureMember("0", item, scan);
  else for (const key in value) measureMember(key, value[key] ?? null, scan);
}

function measureMember(key: string, value: JsonValue, scan: SchemaScan): void {
  scan.size += key.length + 4;
  measure(value, scan);
  refuseLarge(scan);
}

/** Limits the expanded size, because a few references can expand to millions of parts. */
function countPaths(root: JsonObject): void {
  const counts = new Map<JsonObject, number>();
  const count = (schema: JsonValue, depth: number): number => {
    if (!isJsonObject(schema)) return 1;
    if (depth > LONGEST_CHAIN)
      throw new SchemaError(`is nested deeper than ${LONGEST_CHAIN} levels through its references`);
    const before = counts.get(schema);
    if (before !== undefined) return before;
    counts.set(schema, 1); // for recursive schemas, such as a tree
    let paths = 1;
    for (const [key, value] of Object.entries(schema)) {
      if (key === "$ref") paths += count(localTarget(root, value) ?? null, depth + 1);
      else if (key === "$defs" || key === "definitions") continue;
      else if (MAP_OF_SCHEMAS.has(key) && isJsonObject(value))
        for (const part of Object.values(value)) paths += count(part, depth + 1);
      else if (isList(value) && (LIST_OF_SCHEMAS.has(key) || key === "items"))
        for (const part of value) paths += count(part, depth + 1);
      else if (key === "items" || ONE_SCHEMA.has(key)) paths += count(value, depth + 1);
      if (paths > MOST_PATHS) throw new SchemaError(`expands to more than ${MOST_PATHS} parts`);
    }
    counts.set(schema, paths);
    return paths;
  };
  count(root, 0);
}

function isType(value: JsonValue): boolean {
  return typeof value === "string" && TYPES.has(value);
}
