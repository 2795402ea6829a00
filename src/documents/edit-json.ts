import { type Node, parseTree } from "jsonc-parser";
import { canonicalJson, type JsonValue } from "../model/index.ts";
import type { Path } from "./document.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Sets one member of a JSON text and leaves every other character alone: comments, order, indentation, line ends.
 * Objects on the way are made when missing. Throws when the text cannot be edited safely.
 */
export function setJsonMember(text: string, path: readonly string[], value: JsonValue): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const root = treeOf(before);
  let node = root;
  for (const [index, key] of path.entries()) {
    const property = propertyOf(node, key);
    const inner = property?.children?.[1];
    if (inner === undefined) {
      const rest = path
        .slice(index + 1)
        .reduceRight<JsonValue>((nested, name) => ({ [name]: nested }), value);
      return verified(before, insertMember(before, node, key, rest), path, value);
    }
    if (index === path.length - 1) {
      const style = styleOf(before);
      const formatted = format(value, style, indentAt(before, property?.offset ?? 0));
      return verified(before, splice(before, inner.offset, inner.length, formatted), path, value);
    }
    if (inner.type !== "object") throw new Error(`"${path.slice(0, index + 1).join(".")}" is not an object`);
    node = inner;
  }
  return before;
}

/** Removes one member, its comma and its line; what is not there leaves the text as it is. */
export function removeJsonMember(text: string, path: readonly string[]): string {
  let node = treeOf(text);
  for (const key of path.slice(0, -1)) {
    const inner = propertyOf(node, key)?.children?.[1];
    if (inner === undefined) return text;
    node = inner;
  }
  const siblings = node.children ?? [];
  const property = propertyOf(node, path.at(-1) ?? "");
  if (property === undefined) return text;
  const previous = siblings[siblings.indexOf(property) - 1];
  const end = property.offset + property.length;
  const comma = commaAfter(text, end);
  const own = memberRange(text, property.offset, comma === undefined ? end : comma + 1);
  const without = splice(text, own.start, own.end - own.start, "");
  // The last member leaves the comma in front of it without a job.
  const idle =
    comma === undefined && previous !== undefined
      ? commaAfter(text, previous.offset + previous.length)
      : undefined;
  return verified(text, idle === undefined ? without : splice(without, idle, 1, ""), path, undefined);
}

/** A member with its whole lines where it stands alone on them, else with the space around it. */
function memberRange(text: string, start: number, end: number): { start: number; end: number } {
  const lineStart = text.lastIndexOf("\n", start - 1);
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(end));
  if (rest !== null && lineStart !== -1 && text.slice(lineStart + 1, start).trim() === "") {
    return { start: text[lineStart - 1] === "\r" ? lineStart - 1 : lineStart, end: end + rest[0].length };
  }
  if (text[end - 1] === ",") return { start, end: end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0) };
  return { start: start - (/[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0), end };
}

/** Where the next comma stands, if nothing but white space and comments comes before it. */
function commaAfter(text: string, offset: number): number | undefined {
  const skipped = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(offset))?.[0].length ?? 0;
  return text[offset + skipped] === "," ? offset + skipped : undefined;
}

interface TextStyle {
  readonly indent: string;
  readonly newline: string;
}

function insertMember(text: string, object: Node, key: string, value: JsonValue): string {
  if (object.type !== "object") throw new Error("there is no object to add to");
  const style = styleOf(text);
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const outer = indentAt(text, close);
  const isOneLine = !text.slice(object.offset, close).includes("\n");
  if (last === undefined) {
    const member = `${JSON.stringify(key)}: ${format(value, style, outer + style.indent)}`;
    const kept = text.slice(object.offset + 1, close).trimEnd();
    const inside = `${kept}${style.newline}${outer}${style.indent}${member}${style.newline}${outer}`;
    return splice(text, object.offset + 1, close - object.offset - 1, inside);
  }
  const end = last.offset + last.length;
  if (isOneLine) {
    const comma = /^\s*,/.exec(text.slice(end));
    const at = end + (comma?.[0].length ?? 0);
    const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return splice(text, at, 0, `${comma === null ? "," : ""} ${member}`);
  }
  const inner = indentAt(text, last.offset);
  const trailing = /^\s*,/.exec(text.slice(end, close));
  const afterComma = end + (trailing?.[0].length ?? 0);
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|(?:\/\*[^\r\n]*?\*\/[ \t]*)+)(?=\r?\n)/.exec(
    text.slice(afterComma),
  );
  const at = afterComma + (comment?.[0].length ?? 0);
  const member = `${style.newline}${inner}${JSON.stringify(key)}: ${format(value, style, inner)}`;
  const withMember = splice(text, at, 0, `${member}${trailing === null ? "" : ","}`);
  return trailing === null ? splice(withMember, end, 0, ",") : withMember;
}

/** JSON in the file's own indentation; short lists of plain values stay on one line. */
function format(value: JsonValue, style: TextStyle, indent: string): string {
  const text = JSON.stringify(value, undefined, style.indent) ?? "null";
  const compact = text.replace(/\[\s+([^[\]{}]*?)\s+\]/g, (whole, items: string) => {
    const line = `[${items.split(/,\s*\n\s*/).join(", ")}]`;
    return line.length <= 100 ? line : whole;
  });
  return compact.split("\n").join(`${style.newline}${indent}`);
}

/** What stands before the first key on a line of its own; a comment may be indented otherwise. */
function styleOf(text: string): TextStyle {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return { indent, newline: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** The white space in front of the line that holds the offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

function treeOf(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error("the text is not JSON");
  return root;
}

/** The last of equal keys counts. */
function propertyOf(node: Node, key: string): Node | undefined {
  return (node.children ?? []).findLast((child) => child.children?.[0]?.value === key);
}

function splice(text: string, offset: number, length: number, replacement: string): string {
  return text.slice(0, offset) + replacement + text.slice(offset + length);
}

/** An edit that changed anything but what was asked for must never be written. */
function verified(before: string, after: string, path: Path, value: JsonValue | undefined): string {
  const changed = parseJson(after).value;
  const wanted = withMember(parseJson(before).value ?? {}, path, value);
  if (changed === undefined || canonicalJson(changed) !== canonicalJson(wanted)) {
    throw new Error("the file could not be edited without disturbing the rest of it");
  }
  return after;
}

function withMember(base: JsonValue, [key, ...rest]: Path, value: JsonValue | undefined): JsonValue {
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const [name, member] of Object.entries(base as object)) copy[name] = member as JsonValue;
  const name = String(key);
  if (rest.length > 0) copy[name] = withMember(copy[name] ?? {}, rest, value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}
