/** A table's header or a key with its value, and where it stands in the text. */
export interface TomlItem {
  readonly kind: "table" | "list" | "pair";
  /** From the top: the table's own path, and the key's in it. */
  readonly path: readonly string[];
  readonly start: number;
  /** The end of its last line, without the line end. */
  readonly end: number;
  /** Where the value stands; for a header, the same as the header. */
  readonly value: { readonly start: number; readonly end: number };
}

const KEY_PART = /[ \t]*(?:("(?:[^"\\\n]|\\.)*")|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*/y;

/** The headers and pairs of a TOML text in order; `undefined` when it is written in a way that is not understood. */
export function scanToml(text: string): TomlItem[] | undefined {
  const items: TomlItem[] = [];
  let table: readonly string[] = [];
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const start = skip(/[ \t\r]*/y, text, at);
    if (start === text.length || text[start] === "\n" || text[start] === "#") continue;
    const item = text[start] === "[" ? scanHeader(text, start) : scanPair(text, start, table);
    if (item === undefined) return undefined;
    if (item.kind !== "pair") table = item.path;
    items.push(item);
    at = item.end;
  }
  return items;
}

function scanHeader(text: string, start: number): TomlItem | undefined {
  const isList = text.startsWith("[[", start);
  const mark = isList ? "]]" : "]";
  const key = scanKey(text, start + mark.length);
  if (key === undefined || !text.startsWith(mark, key.end)) return undefined;
  const end = lineEnd(text, start);
  return { kind: isList ? "list" : "table", path: key.path, start, end, value: { start, end } };
}

function scanPair(text: string, start: number, table: readonly string[]): TomlItem | undefined {
  const key = scanKey(text, start);
  if (key === undefined || text[key.end] !== "=") return undefined;
  const from = skip(/[ \t]*/y, text, key.end + 1);
  const to = valueEnd(text, from);
  if (to === undefined) return undefined;
  const value = { start: from, end: from + text.slice(from, to).trimEnd().length };
  return { kind: "pair", path: [...table, ...key.path], start, end: lineEnd(text, to), value };
}

function scanKey(text: string, start: number): { path: string[]; end: number } | undefined {
  const path: string[] = [];
  for (let at = start; ; at += 1) {
    KEY_PART.lastIndex = at;
    const [whole, quoted, literal, bare] = KEY_PART.exec(text) ?? [];
    const part = quoted === undefined ? (literal ?? bare) : unquote(quoted);
    if (whole === undefined || part === undefined) return undefined;
    path.push(part);
    at += whole.length;
    if (text[at] !== ".") return { path, end: at };
  }
}

function unquote(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined; // an escape that only TOML knows
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

const STRINGS: Readonly<Record<string, RegExp>> = {
  '"""': /"""(?:[^\\]|\\[\s\S])*?"""{1,3}(?!")/y,
  "'''": /'''[\s\S]*?'''{1,3}(?!')/y,
  '"': /"(?:[^"\\\n]|\\.)*"/y,
  "'": /'[^'\n]*'/y,
};

function stringEnd(text: string, start: number, quote: string): number | undefined {
  const pattern = text.startsWith(quote.repeat(3), start) ? STRINGS[quote.repeat(3)] : STRINGS[quote];
  if (pattern === undefined) return undefined;
  const end = skip(pattern, text, start);
  return end === start ? undefined : end;
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
