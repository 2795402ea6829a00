import {
  type ContentPart,
  isHuge,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  shortLine,
  truncate,
} from "../model/index.ts";
import { JsonWriter, type JsonWriterOptions } from "./json-writer.ts";

/** Converts one item of a server's result. Unknown items become their JSON text. */
export function toContentPart(value: JsonValue): ContentPart {
  if (!isJsonObject(value)) return asJson(value);
  const { type, text, data, mimeType, uri, name, resource } = value;
  if (type === "text" && typeof text === "string") return { type, text };
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return { type, data, mimeType: typeof mimeType === "string" ? mimeType : "application/octet-stream" };
  }
  if (type === "resource_link" && typeof uri === "string") {
    return {
      type,
      uri,
      name: typeof name === "string" ? name : uri,
      ...(typeof mimeType === "string" && { mimeType }),
    };
  }
  if (type === "resource" && isJsonObject(resource) && typeof resource["uri"] === "string") {
    const { uri: resourceUri, mimeType: resourceType, text: resourceText, blob } = resource;
    return {
      type,
      uri: resourceUri,
      ...(typeof resourceType === "string" && { mimeType: resourceType }),
      ...(typeof resourceText === "string" ? { text: resourceText } : typeof blob === "string" && { blob }),
    };
  }
  return asJson(value);
}

function asJson(value: JsonValue): ContentPart {
  return { type: "text", text: jsonWithoutBytes(value) };
}

const BYTES: ReadonlySet<string> = new Set(["data", "blob"]);
const LONGEST_WORD = 1_024;

/** The JSON text of an unknown part is truncated after this many characters. */
const LONGEST_PART = 128 * 1024;

/** Returns a value as JSON, with the size of binary data in place of the data itself. */
export function jsonWithoutBytes(value: JsonValue): string {
  const short = shortJsonWithoutBytes(value);
  if (short !== undefined) return short;
  const writer = writerWithoutBytes(value, { most: LONGEST_PART });
  while (!writer.run(10_000));
  return writer.text;
}

/** Up to this size, `JSON.stringify` is used. It is twice as fast but cannot be interrupted. */
const SMALL = 8_000;
const SMALL_DEPTH = 16;

/** Like `jsonWithoutBytes`, but returns `undefined` for a value that is not small. */
export function shortJsonWithoutBytes(value: JsonValue, indent?: number): string | undefined {
  if (roomAfter(value, SMALL, SMALL_DEPTH) < 0) return undefined;
  const replace = (key: string, member: JsonValue): JsonValue =>
    typeof member === "string" ? withoutBytes(key, member) : member;
  return JSON.stringify(value, replace, indent);
}

/** Subtracts the size of a value from the remaining space. Returns a negative number if it does not fit or is nested too deeply. */
function roomAfter(value: JsonValue, room: number, depth: number): number {
  if (typeof value === "string") return room - value.length - 1;
  if (typeof value !== "object" || value === null) return room - 1;
  if (depth === 0 || isHuge(value)) return -1;
  const members = value as JsonObject; // the key of a list item is its index
  let left = room - 1;
  for (const key in members) {
    if (left < 0) return left;
    left = roomAfter(members[key] ?? null, left - key.length, depth - 1);
  }
  return left;
}

function withoutBytes(key: string, text: string): string {
  return BYTES.has(key) || looksEncoded(text) ? `[${describeSize(text)}]` : withoutDataUrls(text);
}

/** Like `jsonWithoutBytes`, but as a writer that can be interrupted. */
export function writerWithoutBytes(
  value: JsonValue,
  { indent, most }: Pick<JsonWriterOptions, "indent" | "most">,
): JsonWriter {
  return new JsonWriter(value, {
    indent,
    most,
    // Binary data is recognized by the whole text; other texts are truncated.
    replace: (key, text) => truncate(withoutBytes(key, text), most),
  });
}

function looksEncoded(text: string): boolean {
  return (
    text.length > LONGEST_WORD &&
    /^[A-Za-z0-9+/_-]+$/.test(text.slice(0, LONGEST_WORD)) && // for most texts, the beginning is enough
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) &&
    /[A-Z]/.test(text) &&
    /\d/.test(text)
  );
}

const SCHEME = "data:";
const MARK = ";base64,";
const LONGEST_TYPE = 100;
const TYPE = /^[\w.+/-]*$/;
const ENCODED = /[A-Za-z0-9+/]{256,}={0,2}/y;

/** Pictures encoded in a text cost a model thousands of tokens and are useless to it. */
export function withoutDataUrls(text: string): string {
  if (!text.includes(MARK)) return text;
  const pieces: string[] = [];
  let end = 0;
  // A pattern for the whole URL would try every "data:" in a long text.
  for (let mark = text.indexOf(MARK); mark !== -1; mark = text.indexOf(MARK, Math.max(mark + 1, end))) {
    const before = text.slice(Math.max(end, mark - LONGEST_TYPE - SCHEME.length), mark);
    const scheme = before.lastIndexOf(SCHEME);
    const type = before.slice(scheme + SCHEME.length);
    if (scheme === -1 || !TYPE.test(type)) continue;
    ENCODED.lastIndex = mark + MARK.length;
    const [data] = ENCODED.exec(text) ?? [];
    if (data === undefined) continue;
    const start = mark - before.length + scheme;
    pieces.push(text.slice(end, start), `[${type === "" ? "data" : type}, ${describeSize(data)}]`);
    end = mark + MARK.length + data.length;
  }
  return end === 0 ? text : pieces.join("") + text.slice(end);
}

/** Describes a part as text. Names binary content but never prints it. */
export function describePart(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return withoutDataUrls(part.text);
    case "image":
    case "audio":
      return `[${part.type}: ${short(part.mimeType)}, ${describeSize(part.data)}${saved(part)}]`;
    case "resource_link":
      return `[resource link: ${short(part.name)} <${short(part.uri)}>]`;
    case "resource":
      if (part.text !== undefined) return `[resource: ${short(part.uri)}]\n${withoutDataUrls(part.text)}`;
      return `[resource: ${short(part.uri)}, ${short(part.mimeType ?? "binary")}, ${describeSize(part.blob ?? "")}${saved(part)}]`;
  }
}

/** Shortens a server's text to one line, so that it cannot hide the text after it. */
function short(text: string): string {
  return shortLine(text, 500);
}

function saved({ path, reference }: { readonly path?: string; readonly reference?: string }): string {
  if (path !== undefined) return `, saved to ${path}`;
  return reference === undefined ? "" : `, saved as ${reference}`;
}

/** Returns the number of bytes that a base64 text encodes. */
export function decodedSize(base64: string): number {
  const end = base64.endsWith("==") ? 2 : Number(base64.endsWith("="));
  return Math.floor(((base64.length - end) * 3) / 4);
}

export function describeSize(base64: string): string {
  return describeBytes(decodedSize(base64));
}

export function describeBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
