import type { ContentPart, ToolResult } from "../index.ts";

/** What a tool answered, as far as a model is concerned. */
export type Answer = Pick<ToolResult, "text" | "parts" | "isError" | "structured">;

export interface Media {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly filename: string;
}

const TAKEN_BY_MOST: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);

export function isTakenByMost(mimeType: string): boolean {
  return TAKEN_BY_MOST.has(mimeType);
}

export function isImage({ mimeType }: Media): boolean {
  return mimeType.startsWith("image/");
}

export function dataUrl({ mimeType, data }: Media): string {
  return `data:${mimeType};base64,${data}`;
}

/** What goes to the model beside the text of an answer, which names it already. */
export function mediaOf({ parts }: Answer, accepts: (mimeType: string) => boolean = isTakenByMost): Media[] {
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

/** `image/PNG; q=1` is `image/png`. */
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
