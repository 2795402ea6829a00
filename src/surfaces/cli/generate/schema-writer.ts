import type { JsonObject, JsonValue } from "../../../index.ts";
import { isObject } from "../../shared/json-object.ts";
import { comment, indent, literal, propertyName } from "./safe-code.ts";

/** Limits for the type of one schema. Parts of a schema beyond them become `unknown`. */
const MOST_PARTS = 3_000;
const DEEPEST = 24;
const MOST_CHOICES = 300;
const LONGEST_TEXT = 200;
const MOST_CHARACTERS = 300_000;
/** TypeScript refuses an intersection of unions with more than 100,000 combinations. */
const MOST_COMBINATIONS = 10_000;

/**
 * Writes the types of JSON Schemas. An object that a reference points to becomes an interface with a number for a name, so that it can
 * contain itself. Names, texts and values of a schema appear only inside string literals, comments and plain property names.
 */
export class SchemaTypes {
  readonly #interfaces: string[] = [];
  #written = 0;

  /** How many characters were written so far, including types that were too large. */
  get written(): number {
    return this.#written;
  }

  /** The interfaces that the types written so far refer to. */
  get interfaces(): readonly string[] {
    return this.#interfaces;
  }

  /** Returns the type of the values that a schema describes. */
  typeOf(schema: JsonValue): string {
    const before = this.#interfaces.length;
    const names = new Map<JsonValue, string>();
    const type = new Writer(schema, (target, write) => {
      const known = names.get(target);
      if (known !== undefined) return known;
      const at = this.#interfaces.push("") - 1;
      const name = `Type${at + 1}`;
      names.set(target, name);
      this.#interfaces[at] = `interface ${name} ${write()}`;
      return name;
    }).write(schema, 0);
    const size = this.#interfaces.slice(before).reduce((sum, { length }) => sum + length, type.length);
    this.#written += size;
    if (size <= MOST_CHARACTERS) return type;
    this.#interfaces.length = before;
    return "unknown";
  }
}

/** Returns the name of the interface for an object. `write` returns its body. */
type NameInterface = (target: JsonValue, write: () => string) => string;

class Writer {
  readonly #root: JsonValue;
  readonly #nameInterface: NameInterface;
  /** Targets of references that are being written in place. */
  readonly #open = new Set<JsonValue>();
  #parts = 0;

  constructor(root: JsonValue, nameInterface: NameInterface) {
    this.#root = root;
    this.#nameInterface = nameInterface;
  }

  write(schema: JsonValue | undefined, depth: number): string {
    this.#parts += 1;
    if (schema === false) return "never";
    if (!isObject(schema) || depth > DEEPEST || this.#parts > MOST_PARTS) return "unknown";
    const { $ref: reference, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema;
    if (typeof reference === "string") return this.#reference(reference, depth);
    if (constant !== undefined) return valueType(constant);
    if (isList(values)) return this.#values(values);
    const choices = isList(anyOf) ? anyOf : oneOf;
    if (isList(choices) && choices.length > 0) return this.#choices(schema, choices, depth);
    if (isList(allOf) && allOf.length > 0) return this.#all(schema, allOf, depth);
    if (isList(type)) return union([...new Set(type)].map((each) => this.#named(each, schema, depth)));
    return this.#named(type ?? impliedType(schema), schema, depth);
  }

  #values(values: readonly JsonValue[]): string {
    this.#parts += values.length;
    return values.length > MOST_CHOICES ? "unknown" : union(values.map(valueType));
  }

  #choices(schema: JsonObject, choices: readonly JsonValue[], depth: number): string {
    if (choices.length > MOST_CHOICES) return "unknown";
    const types = choices.map((choice) => this.write(choice, depth + 1));
    return intersection([...this.#ownMembers(schema, depth), union(types)]);
  }

  #all(schema: JsonObject, parts: readonly JsonValue[], depth: number): string {
    if (parts.length > MOST_CHOICES) return "unknown";
    const types = parts.map((part) => this.write(part, depth + 1));
    return intersection([...this.#ownMembers(schema, depth), ...types]);
  }

  /** Returns the type of the properties beside `anyOf`, `oneOf` or `allOf`. */
  #ownMembers(schema: JsonObject, depth: number): string[] {
    const { properties } = schema;
    return isObject(properties) && Object.keys(properties).length > 0 ? [this.#object(schema, depth)] : [];
  }

  #named(type: JsonValue | undefined, schema: JsonObject, depth: number): string {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return type;
      case "number":
      case "integer":
        return "number";
      case "array":
        return this.#array(schema, depth);
      case "object":
        return this.#object(schema, depth);
      default:
        return "unknown";
    }
  }

  #array({ prefixItems, items, minItems }: JsonObject, depth: number): string {
    const first = isList(prefixItems) ? prefixItems : isList(items) ? items : [];
    const rest = isList(items) ? undefined : items;
    if (first.length === 0 || first.length > MOST_CHOICES) return `${group(this.write(rest, depth + 1))}[]`;
    const least = typeof minItems === "number" ? minItems : 0;
    const members = first.map((item, at) => `${group(this.write(item, depth + 1))}${at < least ? "" : "?"}`);
    const more = rest === false ? [] : [`...${group(this.write(rest, depth + 1))}[]`];
    return `[${[...members, ...more].join(", ")}]`;
  }

  #object(schema: JsonObject, depth: number): string {
    const { properties, patternProperties, required, additionalProperties: others } = schema;
    const members = isObject(properties) ? Object.entries(properties) : [];
    if (members.length === 0) {
      if (isObject(others)) return `{ [key: string]: ${this.write(others, depth + 1)} }`;
      return `{ [key: string]: ${others === false && patternProperties === undefined ? "never" : "unknown"} }`;
    }
    const needed = new Set(isList(required) ? required : []);
    const lines: string[] = [];
    for (const [name, member] of members) {
      if (this.#parts > MOST_PARTS) break;
      if (name.length > LONGEST_TEXT) continue;
      const about =
        isObject(member) && typeof member["description"] === "string" ? member["description"] : "";
      const type = this.write(member, depth + 1);
      lines.push(`${comment(about)}${propertyName(name)}${needed.has(name) ? "" : "?"}: ${type};`);
    }
    const isOpen =
      lines.length < members.length || others === true || isObject(others) || isObject(patternProperties);
    return `{\n${indent([...lines, ...(isOpen ? ["[key: string]: unknown;"] : [])].join("\n"))}\n}`;
  }

  #reference(reference: string, depth: number): string {
    const target = findTarget(this.#root, reference);
    if (!isObject(target)) return "unknown";
    if (isPlainObject(target)) return this.#nameInterface(target, () => this.#object(target, depth + 1));
    if (this.#open.has(target)) return "unknown";
    this.#open.add(target);
    const type = this.write(target, depth + 1);
    this.#open.delete(target);
    return type;
  }
}

/** Returns whether a schema can be an interface. */
function isPlainObject(schema: JsonObject): boolean {
  const { type, properties } = schema;
  const isCombined = ["$ref", "const", "enum", "anyOf", "oneOf", "allOf"].some((key) => key in schema);
  return !isCombined && (type === "object" || type === undefined) && isObject(properties);
}

function impliedType({ properties, items, prefixItems }: JsonObject): string | undefined {
  if (isObject(properties)) return "object";
  return items === undefined && prefixItems === undefined ? undefined : "array";
}

/** Follows a reference inside the same document, such as `#/$defs/node`. */
function findTarget(root: JsonValue, reference: string): JsonValue | undefined {
  const [start, ...steps] = reference.split("/", DEEPEST + 1);
  if (start !== "#" || steps.length === DEEPEST) return undefined;
  let target: JsonValue | undefined = root;
  for (const step of steps) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(target) && !isList(target)) return undefined;
    target = Object.hasOwn(target, key) ? (target as JsonObject)[key] : undefined;
  }
  return target;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the type of one value. Lists, objects and long texts are not written out. */
function valueType(value: JsonValue): string {
  if (typeof value === "string") return value.length > LONGEST_TEXT ? "string" : literal(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "number";
  return typeof value === "boolean" || value === null ? String(value) : "unknown";
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return "never";
  if (distinct.includes("unknown")) return "unknown";
  return joined(distinct, " | ");
}

function intersection(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== "unknown");
  const combinations = distinct.reduce((product, type) => product * mostChoices(type), 1);
  return distinct.length === 0 || combinations > MOST_COMBINATIONS ? "unknown" : joined(distinct, " & ");
}

/** Returns how many members a type can have as a union. Members of its parts are counted too. */
function mostChoices(type: string): number {
  return 1 + (type.match(/ \| |\bboolean\b/g)?.length ?? 0);
}

function joined(types: readonly string[], operator: string): string {
  return types.length === 1 ? types.join("") : types.map(group).join(operator);
}

/** Adds parentheses where another operator would bind more tightly. */
function group(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
