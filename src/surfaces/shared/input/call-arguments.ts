import { type FormValue, type JsonObject, type JsonValue, messageOf } from "../../../index.ts";
import { nearest } from "../../../terminal.ts";
import { isObject } from "../json-object.ts";
import { usageError } from "../usage-error.ts";
import { readText } from "./read-text.ts";

/** Parses `key=value`, `key:=json` and `key=@file` into arguments with the types of the tool's schema. */
export async function parseCallArguments(
  words: readonly string[],
  schema: JsonObject,
  start: JsonObject,
): Promise<JsonObject> {
  const args = structuredClone(start) as Record<string, JsonValue>;
  const given = new Set<string>();
  for (const word of words) {
    const { key, value, kind } = splitWord(word);
    const target = schemaOf(key, schema);
    const isRepeated = given.has(key);
    if (isRepeated && !isListType(target))
      throw repeated(key, `Only a list may have several values. Write ${key}=… once, or ${key}:=[…].`);
    const parsed = await readValue({ key, value, kind, schema: target });
    assign(args, key.split("."), parsed, isRepeated);
    given.add(key);
  }
  return args;
}

/** Sets arguments that the user typed in a form. A text is converted like the value of `key=value`. */
export async function withFormAnswers(
  given: JsonObject,
  answers: ReadonlyMap<string, FormValue>,
  schema: JsonObject,
): Promise<JsonObject> {
  const args = { ...given } as Record<string, JsonValue>;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  for (const [key, answer] of answers) {
    const target = isObject(properties[key]) ? properties[key] : {};
    const isText = typeof answer === "string";
    const value = isText ? await readValue({ key, value: answer, kind: "text", schema: target }) : answer;
    assign(args, [key], value, false);
  }
  return args;
}

/** Parses `--input`: JSON, `@file`, or `-` for standard input. */
export async function parseWholeInput(
  text: string,
  readAllInput: () => Promise<string>,
): Promise<JsonObject> {
  const fromInput = text === "-";
  const source = fromInput ? "standard input" : text.startsWith("@") ? text.slice(1) : "--input";
  let json = text;
  if (fromInput) json = await readAllInput();
  else if (text.startsWith("@")) json = await readText(text.slice(1));
  const value = parseJson(json, source);
  if (!isObject(value))
    throw usageError(`${source} must be a JSON object.`, `For example: --input '{"path":"README.md"}'`);
  return value;
}

interface Word {
  readonly key: string;
  readonly value: string;
  readonly kind: "text" | "json" | "file";
}

/** Splits `key=value`, `key:=json` or `key=@file`. */
export function splitWord(word: string): Word {
  const match = /^([^=:]+(?::[^=:]+)*?)(:=|=)([\s\S]*)$/.exec(word);
  const [, key, separator, value] = match ?? [];
  if (key === undefined || value === undefined) {
    throw usageError(`Invalid argument "${word}".`, "Write key=value, key:=json or key=@file.");
  }
  if (separator === ":=") return { key, value, kind: "json" };
  return value.startsWith("@") && value.length > 1
    ? { key, value: value.slice(1), kind: "file" }
    : { key, value, kind: "text" };
}

/** The error for an argument that is given twice: one of the values would be lost. */
export function repeated(key: string, hint = `Write ${key}=… once.`): Error {
  return usageError(`"${key}" is given more than once.`, hint);
}

/** Returns the schema of a dotted key. Throws if the tool does not accept the name. */
function schemaOf(key: string, schema: JsonObject): JsonObject {
  let current = schema;
  let path = "";
  for (const part of key.split(".")) {
    const properties = isObject(current["properties"]) ? current["properties"] : {};
    const next = Object.hasOwn(properties, part) ? properties[part] : undefined;
    const extra = current["additionalProperties"];
    if (next === undefined && Object.keys(properties).length > 0 && !isObject(extra) && extra !== true) {
      throw unknownArgument(`${path}${part}`, part, Object.keys(properties));
    }
    current = isObject(next) ? next : isObject(extra) ? extra : {};
    path += `${part}.`;
  }
  return current;
}

function unknownArgument(path: string, name: string, known: readonly string[]): Error {
  const close = nearest(name, known);
  const hint = close === undefined ? `Valid arguments: ${known.join(", ")}.` : `Did you mean "${close}"?`;
  return usageError(`The tool has no argument "${path}".`, hint);
}

async function readValue({ key, value, kind, schema }: Word & { schema: JsonObject }): Promise<JsonValue> {
  if (kind === "json") return parseJson(value, `${key}:=`);
  const types = typesOf(schema);
  if (kind === "file") {
    const text = await readText(value);
    return types.length === 0 || types.includes("string") ? text : parseJson(text, value);
  }
  return types.length === 0 ? value : readTyped(key, value, types, schema);
}

function readTyped(key: string, value: string, types: readonly string[], schema: JsonObject): JsonValue {
  for (const type of types) {
    const parsed = tryType(key, value, type, schema);
    if (parsed !== undefined) return parsed;
  }
  const wanted = types.map((type) => EXPECTED[type] ?? type).join(" or ");
  throw usageError(`"${key}" must be ${wanted}, not "${value}".`, `Write ${key}:=<json> to give it as JSON.`);
}

const EXPECTED: Readonly<Record<string, string>> = {
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: 'an object such as {"a":1}',
  array: "a list",
};

function tryType(key: string, value: string, type: string, schema: JsonObject): JsonValue | undefined {
  switch (type) {
    case "string":
      return value;
    case "integer":
      return /^-?\d+$/.test(value) ? Number(value) : undefined;
    case "number":
      return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : undefined;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : undefined;
    case "null":
      return value === "null" ? null : undefined;
    case "object":
      return value.trimStart().startsWith("{") ? parseJson(value, key) : undefined;
    case "array": {
      if (value.trimStart().startsWith("[")) return parseJson(value, key);
      const items = isObject(schema["items"]) ? schema["items"] : {};
      const types = typesOf(items);
      return [types.length === 0 ? value : readTyped(key, value, types, items)];
    }
    default:
      return undefined;
  }
}

/** Returns the types that a value may have. `string` comes last because every value parses as a string. */
function typesOf(schema: JsonObject): string[] {
  const { type, anyOf, oneOf } = schema;
  const own = Array.isArray(type) ? type : [type];
  const branches = [anyOf, oneOf].flatMap((list) =>
    Array.isArray(list) ? (list as readonly JsonValue[]) : [],
  );
  const all = [...own, ...branches.flatMap((branch) => (isObject(branch) ? typesOf(branch) : []))];
  const names = [...new Set(all.filter((item): item is string => typeof item === "string"))];
  if (names.length === 0 && Array.isArray(schema["enum"])) return ["number", "boolean", "string"];
  return names.filter((name) => name !== "string").concat(names.includes("string") ? ["string"] : []);
}

function isListType(schema: JsonObject): boolean {
  return typesOf(schema).includes("array");
}

/** Sets a dotted key. With `grow`, appends to the list from an earlier argument. */
function assign(
  target: Record<string, JsonValue>,
  path: readonly string[],
  value: JsonValue,
  grow: boolean,
): void {
  const [head = "", ...rest] = path;
  if (rest.length === 0) {
    const before = target[head];
    const joined = grow && Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    Object.defineProperty(target, head, {
      value: joined,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return;
  }
  const inner: Record<string, JsonValue> = { ...(isObject(target[head]) ? target[head] : {}) };
  assign(inner, rest, value, grow);
  Object.defineProperty(target, head, { value: inner, enumerable: true, configurable: true, writable: true });
}

function parseJson(text: string, source: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw usageError(`${source} is not valid JSON: ${messageOf(error)}`);
  }
}
