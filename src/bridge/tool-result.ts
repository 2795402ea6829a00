import {
  type ArtifactReference,
  type ContentPart,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type ToolResult,
} from "../model/index.ts";
import { repeats } from "./check/repeats.ts";
import {
  decodedSize,
  describeBytes,
  describePart,
  shortJsonWithoutBytes,
  toContentPart,
  writerWithoutBytes,
} from "./content-part.ts";
import { type Pace, safeTextInSlices } from "./safe-text-in-slices.ts";

/** Something to be written to a file: a text, or bytes as base64. */
export type Artifact = { readonly text: string; readonly mimeType: string } | Media;

interface Media {
  readonly base64: string;
  readonly mimeType: string;
}

export interface KeptArtifact {
  readonly path: string;
  readonly url: string;
  readonly bytes: number;
}

export interface ResultOptions {
  /** Longer text is kept in a file, with a preview in its place. */
  readonly textLimit: number;
  /** Larger media are handed over as files only. */
  readonly mediaLimit: number;
  /** The server is not trusted: characters that hide text or steer a terminal are made visible. */
  readonly isHostile: boolean;
  keep(artifact: Artifact): Promise<KeptArtifact | undefined>;
  /** Lets other work run: a server chooses how long its answer is. */
  readonly pace: Pace;
}

/** Parts of one answer; the rest are left out. */
const MOST_PARTS = 10_000;
/** Files that one answer may write: there is room for a thousand in all. */
const MOST_FILES = 100;
/** How long a text may become by writing it out and by making characters visible; the rest is left out, also of the file. */
const LONGEST_TEXT = 16 * 1024 * 1024;
/** Values of structured content that are written in one go. */
const VALUES_AT_ONCE = 2_000;
const PREVIEW_HEAD = 4_000;
const PREVIEW_TAIL = 1_000;

/** A server's answer to `tools/call` in the shape an agent gets. */
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
      artifacts.push({ path: kept.path, bytes: kept.bytes, mimeType: artifact.mimeType });
    return kept;
  };
  const texts: string[] = [];
  const parts: ContentPart[] = [];
  let room = LONGEST_TEXT;
  for (const item of content.slice(0, MOST_PARTS)) {
    const pause = options.pace();
    if (pause !== undefined) await pause;
    const shown = visible(toContentPart(item), room, options);
    const part = shown instanceof Promise ? await shown : shown; // most are short, and nothing is waited for
    const media = mediaOf(part); // most have none, and nothing to wait for
    const piece =
      media === undefined
        ? { text: describePart(part), part }
        : await withMediaKept(part, media, options, keep);
    texts.push(piece.text);
    parts.push(piece.part);
    room = Math.max(0, room - piece.text.length);
  }
  if (content.length > MOST_PARTS) texts.push(`[${content.length - MOST_PARTS} more parts were left out]`);
  const structured = raw["structuredContent"];
  if (structured !== undefined && structured !== null && !repeats(texts, structured)) {
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

type Keep = (artifact: Artifact) => Promise<KeptArtifact | undefined>;

/** Bytes go to a file; what is too much for a model is handed over as a link to it. */
async function withMediaKept(
  part: ContentPart,
  { base64, mimeType }: Media,
  { mediaLimit }: ResultOptions,
  keep: Keep,
): Promise<{ text: string; part: ContentPart }> {
  const kept = await keep({ base64, mimeType });
  const withPath = kept === undefined ? part : ({ ...part, path: kept.path } as ContentPart);
  const text = describePart(withPath);
  if (decodedSize(base64) <= mediaLimit) return { text, part: withPath };
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

/** The beginning, the end, and where the rest is. */
async function toPreview(text: string, limit: number, keep: Keep): Promise<string> {
  const kept = await keep({ text, mimeType: "text/plain" });
  const [head, tail] = [
    Math.min(PREVIEW_HEAD, limit),
    limit > PREVIEW_HEAD + PREVIEW_TAIL ? PREVIEW_TAIL : 0,
  ];
  const size = `${text.length} characters, ${countLines(text)} lines`;
  const rest =
    kept === undefined
      ? `The whole text (${size}) could not be saved; ask for less at a time.`
      : `The whole text (${size}, ${describeBytes(kept.bytes)}) is in ${kept.path}. Read the part you need from that file, or ask the tool for less at a time.`;
  const ends = [
    wholeCharacters(text.slice(0, head)),
    ...(tail > 0 ? [wholeCharacters(text.slice(-tail))] : []),
  ];
  return `${ends.join("\n\n[… left out …]\n\n")}\n\n[${rest}]`;
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
