import { isJsonObject, type JsonObject, type JsonValue, safeText } from "../model/index.ts";
import { LIST_OF_SCHEMAS, MAP_OF_SCHEMAS, ONE_SCHEMA, TYPES, WORDS } from "./schema-keywords.ts";
import { localTarget } from "./schema-reference.ts";

const LARGEST = 256 * 1024;
const DEEPEST = 32;
const MOST_PATHS = 10_000;

export interface SchemaInspection {
  /** Why no model should be given it, in words that follow "its schema". */
  readonly trouble?: string;
  /** It holds regular expressions. */
  readonly hasPatterns: boolean;
  /** Its words hold characters that do not show. */
  readonly hasHidden: boolean;
}

const known = new WeakMap<JsonObject, SchemaInspection>();

/** Looks a schema over before anybody compiles, checks or sends it: is it well formed, and what does it cost at most? */
export function inspectSchema(schema: JsonObject): SchemaInspection {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const inspector = new Inspector(schema);
  const inspection = inspector.inspect();
  known.set(schema, inspection);
  return inspection;
}

/** Thrown to stop looking. */
class Trouble extends Error {}

class Inspector {
  readonly #root: JsonObject;
  #size = 0;
  #schemas = 0;
  #hasPatterns = false;
  #hasHidden = false;
  readonly #references: JsonObject[] = [];

  constructor(root: JsonObject) {
    this.#root = root;
  }

  inspect(): SchemaInspection {
    try {
      this.#visit(this.#root, 0);
      if (this.#references.length > 0) this.#countPaths();
      return { hasPatterns: this.#hasPatterns, hasHidden: this.#hasHidden };
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      return { trouble: error.message, hasPatterns: this.#hasPatterns, hasHidden: true };
    }
  }

  #visit(schema: JsonValue, depth: number): void {
    if (typeof schema === "boolean") return;
    if (!isJsonObject(schema)) throw new Trouble("has something else where a schema belongs");
    if (depth > DEEPEST) throw new Trouble(`is nested deeper than ${DEEPEST} levels`);
    this.#schemas += 1;
    if (this.#schemas > MOST_PATHS) throw new Trouble(`has more than ${MOST_PATHS} parts`);
    for (const key in schema) {
      const value = schema[key];
      if (value === undefined) continue;
      this.#grow(key.length + 4);
      if (MAP_OF_SCHEMAS.has(key)) this.#visitMap(key, value, depth);
      else if (LIST_OF_SCHEMAS.has(key) || (key === "items" && Array.isArray(value))) {
        if (!isList(value)) throw new Trouble(`has "${key}" that is no list`);
        for (const item of value) this.#visit(item, depth + 1);
      } else if (key === "items" || ONE_SCHEMA.has(key)) this.#visit(value, depth + 1);
      else this.#visitOther(key, value, schema);
    }
  }

  #visitMap(key: string, value: JsonValue, depth: number): void {
    if (value === null && depth === 0) return; // the agent's schema has none then
    if (!isJsonObject(value)) throw new Trouble(`has "${key}" that is no object`);
    if (key === "patternProperties") this.#hasPatterns = true;
    for (const name in value) {
      this.#grow(name.length + 4);
      this.#visit(value[name] ?? null, depth + 1);
    }
  }

  #visitOther(key: string, value: JsonValue, schema: JsonObject): void {
    switch (key) {
      case "type":
        if (!(isList(value) ? value : [value]).every((type) => typeof type === "string" && TYPES.has(type)))
          throw new Trouble("has a type that there is not");
        break;
      case "required":
        if (!isList(value) || !value.every((name) => typeof name === "string"))
          throw new Trouble('has "required" that is no list of names');
        break;
      case "enum":
        if (!isList(value)) throw new Trouble('has "enum" that is no list');
        break;
      case "pattern":
        if (typeof value !== "string") throw new Trouble('has "pattern" that is no text');
        this.#hasPatterns = true;
        break;
      case "$ref":
        if (typeof value !== "string") throw new Trouble('has "$ref" that is no text');
        if (value.startsWith("#") && localTarget(this.#root, value) === undefined)
          throw new Trouble("refers to a part that it does not have");
        this.#references.push(schema);
        break;
      default:
        this.#hasHidden ||= WORDS.has(key) && typeof value === "string" && safeText(value) !== value;
        break;
    }
    this.#measure(value);
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > LARGEST) throw new Trouble(`is larger than ${LARGEST / 1024} KB`);
  }

  #measure(value: JsonValue): void {
    if (typeof value === "string") this.#grow(value.length + 2);
    else if (typeof value !== "object" || value === null) this.#grow(6);
    else
      for (const [key, member] of Object.entries(value)) {
        this.#grow(key.length + 4);
        this.#measure(member);
      }
  }

  /** A few references can stand for millions of parts, each of which somebody downstream may walk. */
  #countPaths(): void {
    const counts = new Map<JsonObject, number>();
    const count = (schema: JsonValue): number => {
      if (!isJsonObject(schema)) return 1;
      const before = counts.get(schema);
      if (before !== undefined) return before;
      counts.set(schema, 1); // a part of itself: a tree, say
      let paths = 1;
      for (const [key, value] of Object.entries(schema)) {
        if (key === "$ref") paths += count(localTarget(this.#root, value) ?? null);
        else if (key === "$defs" || key === "definitions") continue;
        else if (MAP_OF_SCHEMAS.has(key) && isJsonObject(value))
          for (const part of Object.values(value)) paths += count(part);
        else if (isList(value) && (LIST_OF_SCHEMAS.has(key) || key === "items"))
          for (const part of value) paths += count(part);
        else if (key === "items" || ONE_SCHEMA.has(key)) paths += count(value);
        if (paths > MOST_PATHS) throw new Trouble(`stands for more than ${MOST_PATHS} parts`);
      }
      counts.set(schema, paths);
      return paths;
    };
    count(this.#root);
  }
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
