import {
  type ArtifactReference,
  type ContentPart,
  type JsonObject,
  type JsonValue,
  safeText,
  type ToolResult,
} from "../model/index.ts";
import { decodedSize, describeBytes, describePart, jsonWithoutBytes, toContentPart } from "./content-part.ts";
import { repeats } from "./repeats.ts";

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
}

const PREVIEW_HEAD = 4_000;
const PREVIEW_TAIL = 1_000;

/** A server's answer to `tools/call` in the shape an agent gets. */
export async function toToolResult(
  raw: JsonObject,
  details: ToolResult["details"],
  options: ResultOptions,
): Promise<ToolResult> {
  const content = Array.isArray(raw["content"]) ? (raw["content"] as readonly JsonValue[]) : [];
  const artifacts: ArtifactReference[] = [];
  const keep = async (artifact: Artifact): Promise<KeptArtifact | undefined> => {
    const kept = await options.keep(artifact);
    if (kept !== undefined)
      artifacts.push({ path: kept.path, bytes: kept.bytes, mimeType: artifact.mimeType });
    return kept;
  };
  const texts: string[] = [];
  const parts: ContentPart[] = [];
  for (const item of content) {
    const part = visible(toContentPart(item), options);
    const media = mediaOf(part); // most have none, and nothing to wait for
    const piece =
      media === undefined
        ? { text: describePart(part), part }
        : await withMediaKept(part, media, options, keep);
    texts.push(piece.text);
    parts.push(piece.part);
  }
  const structured = raw["structuredContent"];
  if (structured !== undefined && structured !== null && !repeats(texts, structured)) {
    const json = jsonWithoutBytes(structured, 2);
    texts.push(options.isHostile ? safeText(json) : json);
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
  const size = `${text.length} characters, ${text.split("\n").length} lines`;
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

function visible(part: ContentPart, { isHostile }: ResultOptions): ContentPart {
  const text = textOf(part);
  return isHostile && text !== undefined ? ({ ...part, text: safeText(text) } as ContentPart) : part;
}
