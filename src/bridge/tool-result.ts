import {
  type ArtifactReference,
  type ContentPart,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type ToolResult,
} from "../model/index.ts";
import { containsStructured } from "./check/contains-structured.ts";
import {
  decodedSize,
  describeBytes,
  describePart,
  shortJsonWithoutBytes,
  toContentPart,
  withoutDataUrls,
  writerWithoutBytes,
} from "./content-part.ts";
import { type Pace, safeTextInSlices } from "./safe-text-in-slices.ts";

/** Content to save in a file: a text, or binary data in base64. */
export type Artifact = { readonly text: string; readonly mimeType: string } | Media;

interface Media {
  readonly base64: string;
  readonly mimeType: string;
}

/** Saved content. */
export interface KeptArtifact {
  /** The path of the file, or the program's own reference. */
  readonly reference: string;
  /** The path, if it is a file. */
  readonly path?: string;
  readonly url: string;
  readonly bytes: number;
}

/** How to convert a result. */
export interface ResultOptions {
  /** Longer text is saved in a file and replaced with a preview. */
  readonly textLimit: number;
  /** Larger media are only saved in files. */
  readonly mediaLimit: number;
  /** Whether the server is untrusted. Then characters that hide text or control a terminal are made visible. */
  readonly isHostile: boolean;
  /** Saves content in a file. Resolves with `undefined` if that is not possible. */
  keep(artifact: Artifact): Promise<KeptArtifact | undefined>;
  /** Lets other work run, because a server's result can be very long. */
  readonly pace: Pace;
}

/** The most parts of one result. Further parts are omitted. */
const MOST_PARTS = 10_000;
/** The most files that one result may write. There is room for a thousand files in total. */
const MOST_FILES = 100;
/** The longest text after conversion. The rest is omitted, also from the file. */
const LONGEST_TEXT = 16 * 1024 * 1024;
/** How many values of structured content to write before other work may run. */
const VALUES_AT_ONCE = 2_000;
const PREVIEW_HEAD = 4_000;
const PREVIEW_TAIL = 1_000;

/** The longest text that is converted at once. */
const SHORT_TEXT = 8_000;

/** Converts a result that is one short text, as most are, without waiting. Returns `undefined` for any other result. */
export function toShortResult(
  raw: JsonObject,
  details: ToolResult["details"],
  { textLimit, isHostile }: Pick<ResultOptions, "textLimit" | "isHostile">,
): ToolResult | undefined {
  const { content, structuredContent, isError } = raw;
  if (isHostile || structuredContent !== undefined || !Array.isArray(content) || content.length !== 1)
    return undefined;
  const item: JsonValue = content[0]; // destructuring a list is slow until it is compiled
  if (!isJsonObject(item) || item["type"] !== "text") return undefined;
  const { text } = item;
  if (typeof text !== "string" || text.length > SHORT_TEXT || text.length > textLimit) return undefined;
  const parts: ContentPart[] = [{ type: "text", text }];
  return { text: withoutDataUrls(text), parts, isError: isError === true, details };
}

/** Converts a server's `tools/call` result for an agent. */
export async function toToolResult(
  raw: JsonObject,
  details: ToolResult["details"],
  options: ResultOptions,
): Promise<ToolResult> {
  const content = itemsOf(raw["content"]);
  const artifacts: ArtifactReference[] = [];
  const keep = async (artifact: Artifact): Promise<KeptArtifact | undefined> => {
    if (artifacts.length >= MOST_FILES) return undefined;
    const kept = await options.keep(artifact);
    if (kept !== undefined)
      artifacts.push({ ...savedAs(kept), bytes: kept.bytes, mimeType: artifact.mimeType });
    return kept;
  };
  const texts: string[] = [];
  const parts: ContentPart[] = [];
  let room = LONGEST_TEXT;
  for (const item of content.slice(0, MOST_PARTS)) {
    const pause = options.pace();
    if (pause !== undefined) await pause;
    const shown = visible(toContentPart(item), room, options);
    const part = shown instanceof Promise ? await shown : shown; // avoids waiting for short parts
    const media = mediaOf(part); // avoids waiting for parts without media
    const piece =
      media === undefined
        ? { text: describePart(part), part }
        : await withMediaKept(part, media, options, keep);
    texts.push(piece.text);
    parts.push(piece.part);
    room = Math.max(0, room - piece.text.length);
  }
  if (content.length > MOST_PARTS) texts.push(`[${content.length - MOST_PARTS} more parts omitted]`);
  const structured = raw["structuredContent"];
  if (structured !== undefined && structured !== null && !containsStructured(texts, structured)) {
    texts.push(await writeStructured(structured, room, options));
  }
  const text = texts.join("\n\n");
  const isLong = text.length > options.textLimit;
  const preview = isLong ? await toPreview(text, options.textLimit, keep) : text;
  const result = {
    text: preview,
    parts: isLong
      ? [{ type: "text" as const, text: preview }, ...parts.filter((part) => textOf(part) === undefined)]
      : parts,
    isError: raw["isError"] === true,
    details: artifacts.length === 0 ? details : { ...details, artifacts },
  };
  return structured === undefined ? result : { ...result, structured };
}

function savedAs({ reference, path }: KeptArtifact): Pick<ArtifactReference, "reference" | "path"> {
  return path === undefined ? { reference } : { reference, path };
}

type Keep = (artifact: Artifact) => Promise<KeptArtifact | undefined>;

/** Saves media in a file. Media that are too large for a model become a link to the file. */
async function withMediaKept(
  part: ContentPart,
  { base64, mimeType }: Media,
  { mediaLimit }: ResultOptions,
  keep: Keep,
): Promise<{ text: string; part: ContentPart }> {
  const kept = await keep({ base64, mimeType });
  const { path, reference } = kept ?? {};
  const savedPart = (path === undefined ? { ...part, reference } : { ...part, path }) as ContentPart;
  const shown = kept === undefined ? part : savedPart;
  const text = describePart(shown);
  if (decodedSize(base64) <= mediaLimit) return { text, part: shown };
  if (kept === undefined) return { text, part: { type: "text", text } };
  return { text, part: { type: "resource_link", uri: kept.url, name: text, mimeType } };
}

function mediaOf(part: ContentPart): Media | undefined {
  if ("data" in part) return { base64: part.data, mimeType: part.mimeType };
  if (!("blob" in part)) return undefined;
  return { base64: part.blob, mimeType: part.mimeType ?? "application/octet-stream" };
}

function textOf(part: ContentPart): string | undefined {
  return "text" in part ? part.text : undefined;
}

/** Returns the beginning and end of a text, and where the full text is. */
async function toPreview(text: string, limit: number, keep: Keep): Promise<string> {
  const kept = await keep({ text, mimeType: "text/plain" });
  const [head, tail] = [
    Math.min(PREVIEW_HEAD, limit),
    limit > PREVIEW_HEAD + PREVIEW_TAIL ? PREVIEW_TAIL : 0,
  ];
  const size = `${text.length} characters, ${countLines(text)} lines`;
  const rest =
    kept === undefined
      ? `The full text (${size}) was not saved; ask for less at a time.`
      : `The full text (${size}, ${describeBytes(kept.bytes)}) is ${placeOf(kept)}, or ask the tool for less at a time.`;
  const ends = [
    wholeCharacters(text.slice(0, head)),
    ...(tail > 0 ? [wholeCharacters(text.slice(-tail))] : []),
  ];
  return `${ends.join("\n\n[… omitted …]\n\n")}\n\n[${rest}]`;
}

function placeOf({ path, reference }: KeptArtifact): string {
  return path === undefined
    ? `saved as ${reference}. Read the part you need from there`
    : `in ${path}. Read the part you need from that file`;
}

function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

async function writeStructured(
  structured: JsonValue,
  most: number,
  { isHostile, pace }: ResultOptions,
): Promise<string> {
  const short = shortJsonWithoutBytes(structured, 2);
  if (short !== undefined) return isHostile ? safeTextInSlices(short, most, pace) : short;
  const writer = writerWithoutBytes(structured, { indent: 2, most });
  while (!writer.run(VALUES_AT_ONCE)) {
    const pause = pace();
    if (pause !== undefined) await pause;
  }
  return isHostile ? safeTextInSlices(writer.text, most, pace) : writer.text;
}

function visible(
  part: ContentPart,
  most: number,
  { isHostile, pace }: ResultOptions,
): ContentPart | Promise<ContentPart> {
  const text = textOf(part);
  if (!isHostile || text === undefined) return part;
  const safe = safeTextInSlices(text, Math.max(most, text.length), pace);
  return typeof safe === "string"
    ? ({ ...part, text: safe } as ContentPart)
    : safe.then((whole) => ({ ...part, text: whole }) as ContentPart);
}
