import type { ContentPart, ToolResult } from "../index.ts";

/** The part of a tool's result that is sent to a model. */
export type ModelResult = Pick<ToolResult, "text" | "parts" | "isError" | "structured">;

/** An image, sound or file in a tool's result. */
export interface Media {
  /** The content in base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly filename: string;
}

const COMMON_MEDIA_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);

/** Returns whether most models accept media of this type. */
export function isCommonlySupported(mimeType: string): boolean {
  return COMMON_MEDIA_TYPES.has(mimeType);
}

export function isImage({ mimeType }: Media): boolean {
  return mimeType.startsWith("image/");
}

export function dataUrl({ mimeType, data }: Media): string {
  return `data:${mimeType};base64,${data}`;
}

/** Returns the media to send to the model. The result's text already mentions them. */
export function mediaOf(
  { parts }: ModelResult,
  accepts: (mimeType: string) => boolean = isCommonlySupported,
): Media[] {
  return parts.flatMap(toMedia).filter(({ mimeType }) => accepts(mimeType));
}

function toMedia(part: ContentPart): Media[] {
  if (part.type === "image" || part.type === "audio") {
    const { data, mimeType } = part;
    return [{ data, mimeType: plainType(mimeType), filename: `${part.type}.${extensionOf(mimeType)}` }];
  }
  if (part.type !== "resource" || part.blob === undefined) return [];
  const mimeType = plainType(part.mimeType ?? "application/octet-stream");
  return [{ data: part.blob, mimeType, filename: nameIn(part.uri) ?? `file.${extensionOf(mimeType)}` }];
}

/** Normalizes a media type: `image/PNG; q=1` becomes `image/png`. */
function plainType(mimeType: string): string {
  return mimeType.replace(/;.*$/s, "").trim().toLowerCase();
}

function extensionOf(mimeType: string): string {
  return /\/(?:x-)?([a-z0-9]+)/i.exec(mimeType)?.[1]?.toLowerCase() ?? "bin";
}

function nameIn(uri: string): string | undefined {
  const name = uri
    .replace(/[?#].*$/s, "")
    .split("/")
    .at(-1)
    ?.replaceAll(/[^\w.-]+/g, "_")
    .slice(-64);
  return name === "" ? undefined : name;
}
