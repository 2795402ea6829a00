import type { Position } from "../model/index.ts";
import type { Path } from "./document.ts";

/**
 * Where tables and keys stand in a TOML text that is known to parse. What is inside an inline table or an array is
 * placed at the key that holds it.
 */
export function locateToml(text: string): (path: Path) => Position | undefined {
  const places = new Map<string, Position>();
  const counts = new Map<string, number>();
  let table: (string | number)[] = [];
  let inside: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (inside !== undefined) {
      if (line.includes(inside)) inside = undefined;
      continue;
    }
    const column = line.search(/\S/) + 1;
    const at = { line: index + 1, column };
    const header = /^\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:#.*)?$/.exec(line);
    if (header !== null && !/^\s*\[\[?[^\]]*=/.test(line)) {
      table = splitKey(header[2] ?? "");
      if (header[1] === "[[") {
        const count = counts.get(keyOf(table)) ?? 0;
        counts.set(keyOf(table), count + 1);
        table = [...table, count];
      }
      remember(places, table, at);
      continue;
    }
    const key =
      /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=\s*(.*)$/.exec(
        line,
      );
    if (key === null) continue;
    remember(places, [...table, ...splitKey(key[1] ?? "")], at);
    inside = opensMultiline(key[2] ?? "");
  }
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const found = places.get(keyOf(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return path.length === 0 ? { line: 1, column: 1 } : undefined;
  };
}

/** A table is placed where it is first named, also as a parent of another. */
function remember(places: Map<string, Position>, path: Path, at: Position): void {
  for (let length = 1; length <= path.length; length += 1) {
    const key = keyOf(path.slice(0, length));
    const isWhole = length === path.length;
    if (!places.has(key)) places.set(key, at);
    else if (isWhole && typeof path.at(-1) === "string" && places.get(key) === undefined) places.set(key, at);
  }
}

function splitKey(text: string): (string | number)[] {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^\s.]+/g) ?? [];
  return parts.map((part) => {
    if (part.startsWith('"')) return JSON.parse(part) as string;
    return part.startsWith("'") ? part.slice(1, -1) : part;
  });
}

/** The mark that ends a string over several lines, when this value opens one and does not close it. */
function opensMultiline(value: string): string | undefined {
  for (const mark of ['"""', "'''"]) {
    const start = value.indexOf(mark);
    if (start !== -1 && value.indexOf(mark, start + 3) === -1) return mark;
  }
  return undefined;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
