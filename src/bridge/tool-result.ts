import {
  type ContentPart,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolResult,
} from "../model/index.ts";

/** A server's answer to `tools/call` in the shape an agent gets. Items of unknown kinds are kept as their JSON. */
export function toToolResult(raw: JsonObject, details: ToolResult["details"]): ToolResult {
  const content = Array.isArray(raw["content"]) ? (raw["content"] as readonly JsonValue[]) : [];
  const parts = content.map(toContentPart);
  const structured = raw["structuredContent"];
  const texts = parts.map(describePart);
  if (structured !== undefined && structured !== null && !texts.some((text) => says(text, structured))) {
    texts.push(JSON.stringify(structured, undefined, 2));
  }
  return {
    text: texts.join("\n\n"),
    parts,
    ...(structured !== undefined && { structured }),
    isError: raw["isError"] === true,
    details,
  };
}

/** One item of content, of a tool's answer or a prompt's message. */
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
      ...(typeof resourceText === "string" && { text: resourceText }),
      ...(typeof blob === "string" && { blob }),
    };
  }
  return asJson(value);
}

/** What cannot be understood is kept for reading; what carries bytes by its name is named as they are elsewhere. */
function asJson(value: JsonValue): ContentPart {
  const text = JSON.stringify(value, (key, member: JsonValue) =>
    BYTES.has(key) && typeof member === "string" ? `[${describeSize(member)}]` : member,
  );
  return { type: "text", text };
}

const BYTES: ReadonlySet<string> = new Set(["data", "blob"]);

/** What a person reads of a part. Binary content is named, never printed. */
function describePart(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type}: ${part.mimeType}, ${describeSize(part.data)}]`;
    case "resource_link":
      return `[resource link: ${part.name} <${part.uri}>]`;
    case "resource":
      if (part.text !== undefined) return `[resource: ${part.uri}]\n${part.text}`;
      return `[resource: ${part.uri}, ${part.mimeType ?? "binary"}, ${describeSize(part.blob ?? "")}]`;
  }
}

function describeSize(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}

/**
 * Servers repeat structured content as text for older clients; it need not be read twice. It is a repetition when
 * every value in it stands in the text too, be it as JSON or as the bare text of `{ "content": "…" }`.
 */
function says(text: string, structured: JsonValue): boolean {
  let left = MOST_LEAVES;
  const stands = (value: JsonValue): boolean => {
    if (left <= 0) return false;
    if (isList(value)) return value.every(stands);
    if (isJsonObject(value)) return Object.values(value).every(stands);
    left -= 1;
    if (typeof value !== "string") return standsAlone(text, String(value));
    return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
  };
  return stands(structured);
}

/** `1` is not said by `10` or `0.1`. */
function standsAlone(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.-])${word.replaceAll(/[.+]/g, "\\$&")}(?![\\w-]|\\.\\d)`).test(text);
}

/** Enough to tell; a larger structure is taken to say something of its own. */
const MOST_LEAVES = 1_000;

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
