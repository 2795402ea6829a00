import { canonicalJson, isJsonObject, isList, type JsonObject, type JsonValue } from "../model/index.ts";
import { memberAt } from "./member-at.ts";
import { parseToml } from "./parse-toml.lazy.ts";
import { scanToml, type TomlItem } from "./scan-toml.ts";

/** An item with its full path. */
interface Piece extends TomlItem {
  readonly path: readonly string[];
}

/**
 * Sets the table at the path, key by key, and leaves all other text unchanged. Adds a new table at the end. Throws if
 * the text cannot be edited safely.
 */
export function setTomlTable(text: string, path: readonly string[], wanted: JsonObject): string {
  const before = parseToml(text).value;
  const after = setTable(text, path, memberAt(before, path), wanted);
  const expected = withMember(before, path, wanted);
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
    return setKeys(text, path, current as JsonObject, wanted);
  }
  const [only] = piecesOf(items, path);
  if (only?.kind !== "pair" || !isSame(only.path, path)) throw unsafe();
  return splice(text, only.value.start, only.value.end, formatToml(wanted));
}

/** Changes the keys that differ, in a table that has its own header. */
function setKeys(text: string, table: readonly string[], current: JsonObject, wanted: JsonObject): string {
  const gone = new Set(Object.keys(current).filter((key) => memberAt(wanted, [key]) === undefined));
  let edited = gone.size === 0 ? text : removeKeys(text, table, gone);
  for (const [key, after] of Object.entries(wanted)) {
    const before = memberAt(current, [key]);
    if (canonicalJson(before) !== canonicalJson(after)) edited = setKey(edited, table, key, before, after);
  }
  return edited;
}

/** Removes keys in one pass, because the file decides how many there are. */
function removeKeys(text: string, table: readonly string[], keys: ReadonlySet<string>): string {
  const isGone = ({ path }: Piece): boolean => keys.has(path[table.length] ?? "");
  return removeItems(text, piecesOf(scan(text), table).filter(isGone));
}

function setKey(
  text: string,
  table: readonly string[],
  key: string,
  before: JsonValue | undefined,
  after: JsonValue,
): string {
  const path = [...table, key];
  const pieces = piecesOf(scan(text), path);
  const own = pieces.find((piece) => isSame(piece.path, path));
  if (own?.kind === "pair") return splice(text, own.value.start, own.value.end, formatToml(after));
  if (own !== undefined && isJsonObject(before) && isJsonObject(after))
    return setKeys(text, path, before, after);
  return insertPair(removeItems(text, pieces), table, key, after);
}

/** Adds a new table at the end, after a blank line. */
function appendTable(text: string, path: readonly string[], wanted: JsonObject): string {
  const newline = newlineOf(text);
  const kept = text.trimEnd();
  const above = kept === "" ? [] : [kept, ""];
  return [...above, `[${path.map(formatKey).join(".")}]`, ...formatPairs(wanted), ""].join(newline);
}

/** Adds a new key after the last key of its table, with the same indentation. */
function insertPair(text: string, table: readonly string[], key: string, value: JsonValue): string {
  const above = scan(text).findLast((item) => isSame(item.table, table));
  if (above === undefined) throw unsafe();
  const indent = text.slice(lineStart(text, above.start), above.start);
  const pair = `${indent}${formatKey(key)} = ${formatToml(value)}`;
  return splice(text, above.end, above.end, `${newlineOf(text)}${pair}`);
}

/** Removes the lines of items, and the blank line before each header. */
function removeItems(text: string, items: readonly TomlItem[]): string {
  const kept: string[] = [];
  let end = 0;
  for (const item of items) {
    const start = lineStart(text, item.start);
    const above =
      item.kind === "pair"
        ? ""
        : (/(?:^|\n)(\r?\n)$/.exec(text.slice(Math.max(0, start - 3), start))?.[1] ?? "");
    kept.push(text.slice(end, start - above.length));
    end = text.indexOf("\n", item.end) + 1 || text.length;
  }
  return [...kept, text.slice(end)].join("");
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset) + 1;
}

/** Returns the items that define the value at a path: its own pair or header, and everything below it. */
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

/** Formats a value. Nested tables are written as inline tables. */
function formatToml(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (isList(value)) return `[${value.map(formatToml).join(", ")}]`;
  if (!isJsonObject(value)) return String(value);
  const pairs = formatPairs(value);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function formatPairs(table: JsonObject): string[] {
  return Object.entries(table).map(([key, value]) => `${formatKey(key)} = ${formatToml(value)}`);
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

function withMember(base: unknown, [key = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  const copy: Record<string, JsonValue> = Object.assign(Object.create(null), base);
  copy[key] = rest.length === 0 ? value : withMember(copy[key], rest, value);
  return copy;
}

function unsafe(): Error {
  return new Error("the file could not be edited without changing other parts of it");
}
