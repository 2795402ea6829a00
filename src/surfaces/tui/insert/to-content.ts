import type { FilePart, TextPart } from "ai";
import { isCommonlySupported, mediaOf } from "../../../adapters/model-content.ts";
import type { ContentPart } from "../../../index.ts";
import { safeText, truncate } from "../../../terminal.ts";

/** The limit for one text sent to the model. */
const MOST_CHARACTERS = 100_000;
/** The limit for media in one message. Providers accept slightly less. */
const MOST_MEDIA_CHARACTERS = 20 * 1024 * 1024;

/**
 * Converts content for a model: text, images and PDF files are sent as they are, other types as a short description.
 */
export function toContent(part: ContentPart, server: string): TextPart | FilePart {
  const [media] = mediaOf({ text: "", parts: [part], isError: false }, isCommonlySupported);
  if (media !== undefined && media.data.length <= MOST_MEDIA_CHARACTERS)
    return { type: "file", data: media.data, mediaType: media.mimeType, filename: media.filename };
  return { type: "text", text: toText(part, server) };
}

/** Converts content to text only. */
export function toText(part: ContentPart, server: string): string {
  switch (part.type) {
    case "text":
      return bounded(part.text);
    case "image":
    case "audio":
      return `[${part.type}: ${part.mimeType}]`;
    case "resource_link":
      return `[resource of "${server}": ${part.name} <${part.uri}>]`;
    case "resource":
      return part.text === undefined
        ? `[resource of "${server}": ${part.uri}, ${part.mimeType ?? "bytes"}]`
        : marked(part.uri, server, part.text);
  }
}

/**
 * Wraps a server's text in a `<resource>` block, to separate it from the user's text. The text cannot close the block.
 */
function marked(uri: string, server: string, text: string): string {
  return inBlock("resource", `server=${JSON.stringify(server)} uri=${JSON.stringify(uri)}`, text);
}

/** Wraps the text of a file in a `<file>` block. The text cannot close the block. */
export function fileText(path: string, text: string): string {
  return inBlock("file", `path=${JSON.stringify(path)}`, text);
}

function inBlock(tag: "resource" | "file", attributes: string, text: string): string {
  const inside = bounded(text).replaceAll(`</${tag}`, `<\\/${tag}`);
  return `<${tag} ${attributes}>\n${inside}\n</${tag}>`;
}

/** Truncates the text and escapes hidden characters, so that the model reads only what the user can see. */
function bounded(text: string): string {
  // Cut before too: cleaning many megabytes takes seconds.
  const short = truncate(safeText(truncate(text, MOST_CHARACTERS)), MOST_CHARACTERS);
  return text.length > MOST_CHARACTERS ? `${short}\n[truncated: ${text.length} characters in total]` : short;
}
