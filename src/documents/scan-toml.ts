import { parse } from "smol-toml";

/** A table's header or a key with its value, and where it stands in the text. */
export interface TomlItem {
  readonly kind: "table" | "list" | "pair";
  /** The table that the header names, or that the key stands in, from the top. */
  readonly table: readonly string[];
  /** The key in its table; nothing for a header. */
  readonly key: readonly string[];
  readonly start: number;
  /** The end of its last line, without the line end. */
  readonly end: number;
  /** Where the value stands; for a header, the same as the header. */
  readonly value: { readonly start: number; readonly end: number };
}

const BLANK = /[ \t]*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;

/** The headers and pairs of a TOML text in order; `undefined` when it is written in a way that is not understood. One walk. */
export function scanToml(text: string): TomlItem[] | undefined {
  const items: TomlItem[] = [];
  let table: readonly string[] = [];
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const start = skip(/[ \t\r]*/y, text, at);
    if (start === text.length || text[start] === "\n" || text[start] === "#") continue;
    const item = text[start] === "[" ? scanHeader(text, start) : scanPair(text, start, table);
    if (item === undefined) return undefined;
    table = item.table;
    items.push(item);
    at = item.end;
  }
  return items;
}

function scanHeader(text: string, start: number): TomlItem | undefined {
  const isList = text.startsWith("[[", start);
  const mark = isList ? "]]" : "]";
  const name = scanKey(text, start + mark.length);
  if (name === undefined || !text.startsWith(mark, name.end)) return undefined;
  const end = lineEnd(text, name.end);
  return { kind: isList ? "list" : "table", table: name.path, key: [], start, end, value: { start, end } };
}

function scanPair(text: string, start: number, table: readonly string[]): TomlItem | undefined {
  const key = scanKey(text, start);
  if (key === undefined || text[key.end] !== "=") return undefined;
  const from = skip(BLANK, text, key.end + 1);
  const to = valueEnd(text, from);
  if (to === undefined) return undefined;
  const value = { start: from, end: from + text.slice(from, to).trimEnd().length };
  return { kind: "pair", table, key: key.path, start, end: lineEnd(text, to), value };
}

/** The parts of a key such as `a."b.c".'d'`, and where it ends. */
function scanKey(text: string, start: number): { path: string[]; end: number } | undefined {
  const path: string[] = [];
  for (let at = start; ; at += 1) {
    const from = skip(BLANK, text, at);
    const quote = text[from];
    const isQuoted = quote === '"' || quote === "'";
    const to = isQuoted ? stringEnd(text, from, quote) : skip(BARE_KEY, text, from);
    if (to === undefined) return undefined;
    const name = isQuoted ? unquote(text.slice(from, to)) : text.slice(from, to) || undefined;
    if (name === undefined) return undefined;
    path.push(name);
    at = skip(BLANK, text, to);
    if (text[at] !== ".") return { path, end: at };
  }
}

function unquote(key: string): string | undefined {
  try {
    return Object.keys(parse(`${key} = 0`))[0];
  } catch {
    return undefined;
  }
}

/** Where a value ends: at the end of its line or before a comment, but not inside brackets or strings. */
function valueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"' || char === "'") {
      const end = stringEnd(text, at, char);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    else if (char === "#") {
      if (depth === 0) return at;
      at = lineEnd(text, at) - 1;
    } else if (char === "\n" && depth === 0) return at;
  }
  return depth === 0 ? text.length : undefined;
}

/** Where a string ends; `undefined` when it does not, or a short one not on its line. */
function stringEnd(text: string, start: number, quote: string): number | undefined {
  const isLong = text.startsWith(quote.repeat(3), start);
  const mark = isLong ? quote.repeat(3) : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) {
    if (!isLong && text[at] === "\n") return undefined;
    at += quote === '"' && text[at] === "\\" ? 2 : 1;
  }
  if (at >= text.length) return undefined;
  at += mark.length;
  // Up to two quotes may stand right before the three that end a long string; none can follow a short one.
  for (const most = at + 2; at < most && text[at] === quote; ) at += 1;
  return at;
}

/** Where a sticky pattern stops matching. */
function skip(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 0);
}

/** The end of the line, without a carriage return. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}
