import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";
import { memberAt } from "./member-at.ts";
import { parseToml } from "./parse-toml.ts";
import { scanToml, type TomlItem } from "./scan-toml.ts";

/** An item with its whole path. */
interface Piece extends TomlItem {
  readonly path: readonly string[];
}

/**
 * Makes the table at the path say what is wanted, key by key, and leaves every other character alone. A table that is not
 * there is put at the end. Throws when the text cannot be edited safely.
 */
export function setTomlTable(text: string, path: readonly string[], wanted: JsonObject): string {
  const before = text.trim() === "" ? {} : parseToml(text).value;
  const after = setTable(text, path, memberAt(before, path), wanted);
  const expected = withMember(isJsonObject(before) ? before : {}, path, wanted);
  if (canonicalJson(parseToml(after).value) !== canonicalJson(expected)) throw unsafe();
  return after;
}

function setTable(
  text: string,
  path: readonly string[],
  current: JsonValue | undefined,
  wanted: JsonObject,
): string {
  if (current === undefined) return appendTable(text, path, wanted);
  const items = scan(text);
  if (items.some((item) => item.kind === "table" && isSame(item.path, path))) {
    return isJsonObject(current) ? setKeys(text, path, current, wanted) : text;
  }
  const [only, ...others] = piecesOf(items, path);
  if (only?.kind !== "pair" || others.length > 0 || !isSame(only.path, path)) throw unsafe();
  return splice(text, only.value.start, only.value.end, formatToml(wanted));
}

/** Changes what differs between two states of a table that has a header of its own. */
function setKeys(text: string, path: readonly string[], current: JsonObject, wanted: JsonObject): string {
  let edited = text;
  for (const key of new Set([...Object.keys(current), ...Object.keys(wanted)])) {
    const [before, after] = [memberAt(current, [key]), memberAt(wanted, [key])];
    if (!isEqual(before, after)) edited = setKey(edited, [...path, key], before, after);
  }
  return edited;
}

function setKey(
  text: string,
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): string {
  const items = scan(text);
  const pieces = piecesOf(items, path);
  const [only, ...others] = pieces;
  const isWhole = only !== undefined && others.length === 0 && isSame(only.path, path);
  if (after !== undefined && isWhole && only.kind === "pair")
    return splice(text, only.value.start, only.value.end, formatToml(after));
  const hasHeader = items.some((item) => item.kind === "table" && isSame(item.path, path));
  if (hasHeader && isJsonObject(before) && isJsonObject(after)) return setKeys(text, path, before, after);
  const without = pieces.reduceRight((rest, piece) => removeItem(rest, piece), text);
  return after === undefined ? without : insertPair(without, path, after);
}

/** A new table goes to the end, one blank line after what is there. */
function appendTable(text: string, path: readonly string[], wanted: JsonObject): string {
  const newline = newlineOf(text);
  const kept = text.trim() === "" ? "" : `${text.trimEnd()}${newline}${newline}`;
  const pairs = Object.entries(wanted).map(([key, value]) => `${formatKey(key)} = ${formatToml(value)}`);
  return [`${kept}[${path.map(formatKey).join(".")}]`, ...pairs, ""].join(newline);
}

/** A new key goes below the last one of its table, in the same indentation. */
function insertPair(text: string, path: readonly string[], value: JsonValue): string {
  const items = scan(text);
  const table = path.slice(0, -1);
  const header = items.findIndex((item) => item.kind === "table" && isSame(item.path, table));
  if (header === -1) throw unsafe();
  const next = items.findIndex((item, index) => index > header && item.kind !== "pair");
  const above = items.slice(header, next === -1 ? undefined : next).at(-1);
  if (above === undefined) throw unsafe();
  const indent = /[ \t]*$/.exec(text.slice(0, above.start))?.[0] ?? "";
  const pair = `${indent}${formatKey(path.at(-1) ?? "")} = ${formatToml(value)}`;
  return splice(text, above.end, above.end, `${newlineOf(text)}${pair}`);
}

/** Takes an item's whole lines, and the blank line in front of a header. */
function removeItem(text: string, { start, end, kind }: TomlItem): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
  const blank = kind === "pair" ? undefined : /(?<=^|\n)\r?\n$/.exec(text.slice(0, lineStart))?.[0];
  return splice(text, lineStart - (blank?.length ?? 0), end + lineEnd, "");
}

/** What has a hand in the value at a path: its own pair or header, and all that is below it. */
function piecesOf(items: readonly Piece[], path: readonly string[]): Piece[] {
  return items.filter(({ path: own }) => path.every((part, index) => own[index] === part));
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((part, index) => part === right[index]);
}

function scan(text: string): Piece[] {
  const items = scanToml(text);
  if (items === undefined) throw unsafe();
  return items.map((item) => ({ ...item, path: [...item.table, ...item.key] }));
}

/** Tables inside are written in line. */
function formatToml(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (isList(value)) return `[${value.map(formatToml).join(", ")}]`;
  if (!isJsonObject(value)) return String(value);
  const pairs = Object.entries(value).map(([key, member]) => `${formatKey(key)} = ${formatToml(member)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function formatKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function withMember(base: JsonObject, [key = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  const copy: Record<string, JsonValue> = Object.assign(Object.create(null), base);
  const inner = copy[key];
  copy[key] = rest.length === 0 ? value : withMember(isJsonObject(inner) ? inner : {}, rest, value);
  return copy;
}

function isEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return (
    left === right ||
    (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right))
  );
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function unsafe(): Error {
  return new Error("the file could not be edited without disturbing the rest of it");
}
