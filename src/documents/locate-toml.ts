import type { Position } from "../model/index.ts";
import type { Path } from "./document.ts";
import { createLocator } from "./position.ts";

/**
 * Where tables and keys stand in a TOML text that is known to parse. What is inside an inline table or an array is
 * placed at the key that holds it. One walk over the text, whatever is in it.
 */
export function locateToml(text: string): (path: Path) => Position | undefined {
  const locate = createLocator(text);
  const places = new Map<string, number>();
  /** How many `[[table]]` there are so far, by path. */
  const counts = new Map<string, number>();
  let table: (string | number)[] = [];
  let at = 0;
  while ((at = skipBlank(text, at)) < text.length) {
    const start = at;
    const isHeader = text[at] === "[";
    const isList = text.startsWith("[[", at);
    const key = readKey(text, isHeader ? at + (isList ? 2 : 1) : at);
    if (isHeader) {
      table = lastOfEach(key.parts, counts, isList);
      if (isList) counts.set(keyOf(table.slice(0, -1)), Number(table.at(-1)) + 1);
    }
    remember(places, isHeader ? table : [...table, ...key.parts], start);
    at = skipValue(text, key.end + (isHeader ? (isList ? 2 : 1) : 0));
  }
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const found = places.get(keyOf(path.slice(0, length)));
      if (found !== undefined) return locate(found);
    }
    return path.length === 0 ? { line: 1, column: 1 } : undefined;
  };
}

/** A table is placed where it is first named, also as a parent of another. */
function remember(places: Map<string, number>, path: Path, at: number): void {
  for (let length = 1; length <= path.length; length += 1) {
    const key = keyOf(path.slice(0, length));
    if (!places.has(key)) places.set(key, at);
  }
}

/** `[a.b]` means the last of the `[[a]]` so far; `[[a]]` itself the next one. */
function lastOfEach(
  parts: readonly string[],
  counts: ReadonlyMap<string, number>,
  isList: boolean,
): (string | number)[] {
  const path: (string | number)[] = [];
  for (const [index, part] of parts.entries()) {
    path.push(part);
    const count = counts.get(keyOf(path));
    if (isList && index === parts.length - 1) path.push(count ?? 0);
    else if (count !== undefined) path.push(count - 1);
  }
  return path;
}

function skipBlank(text: string, start: number): number {
  let at = start;
  for (;;) {
    if (/\s/.test(text[at] ?? "x")) at += 1;
    else if (text[at] === "#") at = endOfLine(text, at);
    else return at;
  }
}

/** The parts of a key such as `a."b.c".'d'`, and where it ends. */
function readKey(text: string, start: number): { readonly parts: string[]; readonly end: number } {
  const parts: string[] = [];
  let at = start;
  for (; at < text.length && !"=]\n".includes(text[at] ?? ""); ) {
    const from = at;
    if (text[at] === '"' || text[at] === "'") {
      at = skipString(text, at);
      parts.push(unquote(text.slice(from, at)));
    } else if (/[\w-]/.test(text[at] ?? "")) {
      while (/[\w-]/.test(text[at] ?? "")) at += 1;
      parts.push(text.slice(from, at));
    } else at += 1;
  }
  return { parts, end: at };
}

/** To the end of the line that ends the value: not one inside brackets or a string. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const char = text[at] ?? "";
    if (char === "\n" && depth === 0) return at;
    if (char === '"' || char === "'") at = skipString(text, at);
    else if (char === "#") at = endOfLine(text, at);
    else {
      if ("[{".includes(char)) depth += 1;
      if ("]}".includes(char)) depth -= 1;
      at += 1;
    }
  }
  return text.length;
}

function skipString(text: string, start: number): number {
  const quote = text[start] ?? "";
  const mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  at += mark.length;
  // Up to two quotes may stand right before the three that end a long string.
  while (mark.length === 3 && text[at] === quote) at += 1;
  return at;
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
};

function unquote(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith("'")) return inner;
  return inner.replace(
    /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(.))/g,
    (_, short?: string, long?: string, byte?: string, other = "") => {
      const digits = short ?? long ?? byte;
      return digits === undefined
        ? (ESCAPES[other] ?? other)
        : String.fromCodePoint(Number.parseInt(digits, 16));
    },
  );
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
