import type { FilePart, TextPart } from "ai";
import { isTakenByMost, mediaOf } from "../../../adapters/model-content.ts";
import type { ContentPart } from "../../../index.ts";
import { safeText, truncate } from "../../../terminal.ts";

/** How much of one text a model is given. */
const MOST_CHARACTERS = 100_000;
/** What providers take in one message, and then some room. */
const MOST_MEDIA_CHARACTERS = 20 * 1024 * 1024;

/** A piece of a prompt or a resource as a model takes it: text as text, pictures and PDF as they are, the rest by its name. */
export function toContent(part: ContentPart, server: string): TextPart | FilePart {
  const [media] = mediaOf({ text: "", parts: [part], isError: false }, isTakenByMost);
  if (media !== undefined && media.data.length <= MOST_MEDIA_CHARACTERS)
    return { type: "file", data: media.data, mediaType: media.mimeType, filename: media.filename };
  return { type: "text", text: toText(part, server) };
}

/** The same where only text will do. */
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

/** A text that a server gave, told apart from what the person says; it cannot end its own block. */
function marked(uri: string, server: string, text: string): string {
  const inside = bounded(text).replaceAll("</resource", "<\\/resource");
  return `<resource server=${JSON.stringify(server)} uri=${JSON.stringify(uri)}>\n${inside}\n</resource>`;
}

/** Hidden characters are shown, so that nobody reads what the person cannot see. */
function bounded(text: string): string {
  const short = truncate(safeText(text), MOST_CHARACTERS);
  return text.length > MOST_CHARACTERS ? `${short}\n[cut: ${text.length} characters in all]` : short;
}
