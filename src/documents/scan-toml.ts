import { parse } from "smol-toml";

/** A table header or a key with its value, and its position in the text. */
export interface TomlItem {
  readonly kind: "table" | "list" | "pair";
  /** The path of the table that the header names, or that contains the key. */
  readonly table: readonly string[];
  /** The key in its table. Empty for a header. */
  readonly key: readonly string[];
  readonly start: number;
  /** The end of the last line, without the line break. */
  readonly end: number;
  /** The position of the value. For a header, the position of the header. */
  readonly value: { readonly start: number; readonly end: number };
}

const BLANK = /[ \t]*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;

/**
 * Returns the headers and pairs of a TOML text in order, or `undefined` if it uses unsupported syntax. Runs in linear
 * time.
 */
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

/** Returns the parts of a key such as `a."b.c".'d'`, and its end. */
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

/** Returns the end of a value: the end of the line or the start of a comment, but not inside brackets or strings. */
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

/** Returns the end of a string, or `undefined` if it is not closed. A single-line string must be closed on its line. */
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
  // A multi-line string can have up to two quotes directly before its closing quotes. A short string cannot.
  for (const most = at + 2; at < most && text[at] === quote; ) at += 1;
  return at;
}

/** Returns the end of the match of a sticky pattern. */
function skip(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 0);
}

/** Returns the end of the line, before the line break. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}
