import { canonicalJson, type JsonValue } from "../model/index.ts";
import type { Path } from "./document.ts";
import { type JsonNode, memberOf, parseJsonTree } from "./json-tree.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Sets one member of a JSON text and keeps everything else: comments, order, indentation, line endings. Creates missing
 * parent objects. Throws if the text cannot be edited safely.
 */
export function setJsonMember(text: string, path: readonly string[], value: JsonValue): string {
  const before = text.trim() === "" ? "{}\n" : text;
  let node: JsonNode = parseJsonTree(before.replace(/^\ufeff/, " "));
  for (const [index, key] of path.entries()) {
    const member = memberOf(node, key);
    if (member === undefined) {
      const rest = path
        .slice(index + 1)
        .reduceRight<JsonValue>((nested, name) => ({ [name]: nested }), value);
      return verified(before, insertMember(before, node, key, rest), path, value);
    }
    if (index === path.length - 1) {
      const { offset, end } = member.node;
      const formatted = format(value, styleOf(before), indentAt(before, member.offset));
      return verified(before, splice(before, offset, end - offset, formatted), path, value);
    }
    if (member.node.members === undefined)
      throw new Error(`"${path.slice(0, index + 1).join(".")}" is not an object`);
    node = member.node;
  }
  return before;
}

/** Removes one member, its comma and its line. Returns the text unchanged if there is no such member. */
export function removeJsonMember(text: string, path: readonly string[]): string {
  let node: JsonNode = parseJsonTree(text.replace(/^\ufeff/, " "));
  for (const key of path.slice(0, -1)) {
    const inner = memberOf(node, key);
    if (inner === undefined) return text;
    node = inner.node;
  }
  const siblings = node.members ?? [];
  const member = memberOf(node, path.at(-1) ?? "");
  if (member === undefined) return text;
  const previous = siblings[siblings.indexOf(member) - 1];
  const { end } = member.node;
  const comma = commaAfter(text, end);
  const without = withoutRange(text, member.offset, comma === undefined ? end : comma + 1);
  // Removing the last member also removes the comma before it.
  const previousComma =
    comma === undefined && previous !== undefined ? commaAfter(text, previous.node.end) : undefined;
  const removed = previousComma === undefined ? without : splice(without, previousComma, 1, "");
  const edited = siblings.length === 1 ? onOneLine(removed, node, text.length - removed.length) : removed;
  return verified(text, edited, path, undefined);
}

/** Removes the line breaks of an object that is `cut` characters shorter now, if nothing else is in it. */
function onOneLine(text: string, object: JsonNode, cut: number): string {
  const [start, end] = [object.offset + 1, object.end - 1 - cut];
  const inside = text.slice(start, end);
  return inside.trim() === "" && inside.includes("\n") ? splice(text, start, end - start, "") : text;
}

/** Removes a member: its lines if nothing else is on them, otherwise the space on one side of it. */
function withoutRange(text: string, start: number, end: number): string {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const lineStart = before.lastIndexOf("\n") + 1;
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?\r?\n/.exec(after);
  if (rest !== null && before.slice(lineStart).trim() === "")
    return before.slice(0, lineStart) + after.slice(rest[0].length);
  return text[end - 1] === "," ? before + after.replace(/^[ \t]+/, "") : withoutBlanksAtEnd(before) + after;
}

/** A pattern such as `/[ \t]+$/` would try every blank of the text. */
function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === " " || text[end - 1] === "\t") end -= 1;
  return text.slice(0, end);
}

/** Returns the position of the next comma, if only white space and comments are before it. */
function commaAfter(text: string, offset: number): number | undefined {
  const rest = text.slice(offset).replace(/^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/, "");
  return rest.startsWith(",") ? text.length - rest.length : undefined;
}

interface TextStyle {
  readonly indent: string;
  readonly newline: string;
}

/** Comments that fill the rest of the line. Each can be matched in one way only, because there may be many. */
const COMMENTS = /^[ \t]*(?:\/\/[^\r\n]*|(?:\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*)+)(?=\r?\n)/;

function insertMember(text: string, object: JsonNode, key: string, value: JsonValue): string {
  if (object.members === undefined) throw new Error("the text is not an object");
  const style = styleOf(text);
  const close = object.end - 1;
  const last = object.members.at(-1);
  const outer = indentAt(text, close);
  const isOneLine = !text.slice(object.offset, close).includes("\n");
  if (last === undefined) {
    const member = `${JSON.stringify(key)}: ${format(value, style, outer + style.indent)}`;
    const kept = text.slice(object.offset + 1, close).trimEnd();
    const inside = `${kept}${style.newline}${outer}${style.indent}${member}${style.newline}${outer}`;
    return splice(text, object.offset + 1, close - object.offset - 1, inside);
  }
  const { end } = last.node;
  const comma = commaAfter(text, end);
  const afterComma = comma === undefined ? end : comma + 1;
  if (isOneLine) {
    const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return splice(text, afterComma, 0, `${comma === undefined ? "," : ""} ${member}`);
  }
  const inner = indentAt(text, last.offset);
  const comment = COMMENTS.exec(text.slice(afterComma));
  const at = afterComma + (comment?.[0].length ?? 0);
  const member = `${style.newline}${inner}${JSON.stringify(key)}: ${format(value, style, inner)}`;
  if (comma !== undefined) return splice(text, at, 0, `${member},`);
  return splice(splice(text, at, 0, member), end, 0, ",");
}

/** Formats JSON with the file's indentation. Short lists of scalar values stay on one line. */
function format(value: JsonValue, style: TextStyle, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = indent + style.indent;
  const wrap = ([open, close]: readonly [string, string], lines: readonly string[]): string =>
    lines.length === 0
      ? open + close
      : `${open}${style.newline}${deeper}${lines.join(`,${style.newline}${deeper}`)}${style.newline}${indent}${close}`;
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}: ${format(member, style, deeper)}`,
    );
    return wrap(["{", "}"], members);
  }
  const items = value.map((item: JsonValue) => format(item, style, deeper));
  const line = `[${items.join(", ")}]`;
  const isShort = line.length <= 100 && value.every((item) => typeof item !== "object" || item === null);
  return isShort ? line : wrap(["[", "]"], items);
}

/**
 * Finds the indentation and line break of a text. Uses the first key at the start of a line, because comments can be
 * indented differently.
 */
function styleOf(text: string): TextStyle {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return { indent, newline: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** Returns the indentation of the line that contains the offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset) + 1;
  return text.slice(start).replace(/[^ \t][^]*/, "");
}

function splice(text: string, offset: number, length: number, replacement: string): string {
  return text.slice(0, offset) + replacement + text.slice(offset + length);
}

/** Throws if an edit changed anything else. Such an edit must never be written. */
function verified(before: string, after: string, path: Path, value: JsonValue | undefined): string {
  const changed = parseJson(after).value;
  const wanted = withMember(parseJson(before).value ?? {}, path, value);
  if (canonicalJson(changed) !== canonicalJson(wanted)) {
    throw new Error("the file could not be edited without changing other parts of it");
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
