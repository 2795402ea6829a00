import type { Document } from "../../documents/index.ts";
import {
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  nearest,
  type Problem,
} from "../../model/index.ts";
import { problemIn } from "../read-document.ts";
import { GATEWAY_KEYS } from "./gateway-keys.ts";
import { type KeySpec, pathsOf, variableOf } from "./key-spec.ts";

type Path = readonly (string | number)[];
type Variables = Readonly<Record<string, string | undefined>>;

/** Variables with the same prefix that other parts of Plugboard read. */
const OTHER_VARIABLES = ["PLUGBOARD_GATEWAY_TOKEN", "PLUGBOARD_GATEWAY_CONFIG"];

/** What a gateway file and the environment say. */
export interface GatewayFileReading {
  /** The values with the known keys, or `undefined` if anything is wrong: a skipped setting could be one that protects. */
  readonly value: JsonObject | undefined;
  readonly problems: readonly Problem[];
  /** Reports a problem with the value at a path, as this reading does. */
  problemAt(path: Path, message: string): Problem;
}

/** Checks a gateway file. Environment variables replace its values. */
export function readGatewayFile(
  document: Pick<Document, "value" | "at">,
  file: string,
  variables: Variables,
): GatewayFileReading {
  const fromVariables = new Map<string, string>();
  const problemAt = (path: Path, message: string): Problem => {
    for (let length = path.length; length > 0; length -= 1) {
      const variable = fromVariables.get(path.slice(0, length).join("."));
      if (variable !== undefined)
        return problemIn(`$${variable}`, "settings-invalid", described(path, message));
    }
    // A key that is missing has no position, but the object that should contain it does.
    let at = document.at(path);
    for (let length = path.length - 1; at === undefined && length >= 0; length -= 1)
      at = document.at(path.slice(0, length));
    return problemIn(file, "settings-invalid", described(path, message), at);
  };
  const problems: Problem[] = [];
  const report = (path: Path, message: string): void => void problems.push(problemAt(path, message));
  const given = isJsonObject(document.value) ? document.value : {};
  if (!isJsonObject(document.value)) report([], "must be an object");
  const merged = withVariables(given, variables, fromVariables, report);
  const value = read(GATEWAY_KEYS, merged, [], report) as JsonObject;
  return { value: problems.length === 0 ? value : undefined, problems, problemAt };
}

function described(path: Path, message: string): string {
  return path.length === 0 ? message : `"${path.join(".")}" ${message}`;
}

/** Puts the values of environment variables in the place of those in the file. */
function withVariables(
  given: JsonObject,
  variables: Variables,
  used: Map<string, string>,
  report: (path: Path, message: string) => void,
): JsonObject {
  let value: JsonObject = given;
  const known = new Map(pathsOf(GATEWAY_KEYS).map((path) => [variableOf(path), path]));
  // Shorter paths first, so that a variable for a member adds to one for the whole object.
  for (const [variable, path] of [...known].sort((left, right) => left[1].length - right[1].length)) {
    const text = variables[variable];
    if (text === undefined || text === "") continue;
    used.set(path.join("."), variable);
    const parsed = parseVariable(specAt(path), text);
    if (parsed === undefined) report(path, "is not valid JSON");
    else if (isInList(value, path)) report(path, "cannot be set for one item of a list");
    else value = put(value, path, parsed);
  }
  for (const name of Object.keys(variables)) {
    if (!name.startsWith("PLUGBOARD_GATEWAY_") || known.has(name) || OTHER_VARIABLES.includes(name)) continue;
    const similar = nearest(name, known.keys());
    used.set(name, name);
    report([name], `is not a known variable${similar === undefined ? "" : `; did you mean "${similar}"?`}`);
  }
  return value;
}

function specAt(path: readonly string[]): KeySpec {
  let spec: KeySpec = GATEWAY_KEYS;
  for (const name of path) {
    const inner: KeySpec = spec.type === "list" ? spec.item : spec;
    const member = inner.type === "object" ? inner.members[name] : undefined;
    if (member === undefined) throw new TypeError(`There is no key ${path.join(".")}.`);
    spec = member;
  }
  return spec;
}

/** Lists can be written with commas. Everything else that is not a text is JSON. */
function parseVariable(spec: KeySpec, text: string): JsonValue | undefined {
  const isShort = spec.type === "object" && spec.short !== undefined && !text.trimStart().startsWith("{");
  if (spec.type === "text" || spec.type === "choice" || isShort) return text;
  if (spec.type === "texts" && !text.trimStart().startsWith("["))
    return text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return spec.type === "flag" || spec.type === "number" ? text : undefined;
  }
}

/** Returns whether a path leads through a list, which has no members with names. */
function isInList(value: JsonValue | undefined, [first = "", ...rest]: readonly string[]): boolean {
  if (isList(value)) return true;
  return rest.length > 0 && isJsonObject(value) && isInList(value[first], rest);
}

function put(value: JsonObject, [first = "", ...rest]: readonly string[], item: JsonValue): JsonObject {
  if (rest.length === 0) return { ...value, [first]: item };
  const inner = value[first];
  return { ...value, [first]: put(isJsonObject(inner) ? inner : {}, rest, item) };
}

function read(
  spec: KeySpec,
  value: JsonValue,
  path: Path,
  report: (path: Path, message: string) => void,
): JsonValue {
  switch (spec.type) {
    case "text":
      if (typeof value !== "string" || value === "") report(path, "must be a text");
      else if (
        spec.pattern !== undefined &&
        !isReferenceIn(spec, value) &&
        !new RegExp(spec.pattern).test(value)
      )
        report(path, `must be ${spec.must ?? "another text"}`);
      return value;
    case "flag":
      if (typeof value !== "boolean") report(path, "must be true or false");
      return value;
    case "number":
      if (typeof value !== "number" || !Number.isInteger(value) || value < spec.least || value > spec.most)
        report(path, `must be a whole number from ${spec.least} to ${spec.most}`);
      return value;
    case "choice":
      if (!spec.values.some((known) => known === value))
        report(path, `must be ${spec.values.map((known) => `"${known}"`).join(" or ")}`);
      return value;
    case "texts":
      return readTexts(spec, value, path, report);
    case "any":
      if (spec.form === "list" ? !isList(value) : !isJsonObject(value))
        report(path, spec.form === "list" ? "must be a list" : "must be an object");
      return value;
    case "list": {
      const items = isList(value) ? value : [value];
      return items.map((item, index) =>
        read(spec.item, item, isList(value) ? [...path, index] : path, report),
      );
    }
    case "map":
      if (!isJsonObject(value)) report(path, "must be an object");
      for (const [name, item] of Object.entries(isJsonObject(value) ? value : {}))
        read(spec.item, item, [...path, name], report);
      return value;
    case "object":
      return readObject(spec, value, path, report);
  }
}

function isReferenceIn({ isReference }: { readonly isReference?: boolean }, value: string): boolean {
  return isReference === true && /^(?:\$\{env:|\{file:)/.test(value);
}

function readTexts(
  { pattern, must }: Extract<KeySpec, { type: "texts" }>,
  value: JsonValue,
  path: Path,
  report: (path: Path, message: string) => void,
): JsonValue {
  const items = isList(value) ? value : [];
  if (!isList(value)) report(path, "must be a list of texts");
  for (const [index, item] of items.entries()) {
    if (typeof item !== "string" || item === "") report([...path, index], "must be a text");
    else if (pattern !== undefined && !new RegExp(pattern).test(item))
      report([...path, index], `must be ${must ?? "another text"}`);
  }
  return value;
}

function readObject(
  { members, required = [], short }: Extract<KeySpec, { type: "object" }>,
  given: JsonValue,
  path: Path,
  report: (path: Path, message: string) => void,
): JsonValue {
  const value = short !== undefined && typeof given === "string" ? { [short]: given } : given;
  if (!isJsonObject(value)) {
    report(path, short === undefined ? "must be an object" : "must be a text or an object");
    return {};
  }
  for (const key of required) if (value[key] === undefined) report([...path, key], "is missing");
  const entries = Object.entries(value).map(([key, member]) => {
    const spec = Object.hasOwn(members, key) ? members[key] : undefined;
    if (spec !== undefined) return [key, read(spec, member, [...path, key], report)] as const;
    const similar = nearest(key, Object.keys(members));
    report(
      [...path, key],
      `is not a known key${similar === undefined ? "" : `; did you mean "${similar}"?`}`,
    );
    return [key, member] as const;
  });
  return Object.fromEntries(entries);
}
