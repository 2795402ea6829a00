import { isImage, type Media, mediaOf } from "../model-content.ts";
import type { AiSdkOutput } from "./ai-sdk-output.ts";

/** The major versions of `ai` that are supported. */
export type AiSdkVersion = 6 | 7;

type OutputContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image-data"; readonly data: string; readonly mediaType: string }
  | {
      readonly type: "file-data";
      readonly data: string;
      readonly mediaType: string;
      readonly filename: string;
    };

/** A tool's result in the AI SDK's format for the model. The types are those that both versions of `ai` accept. */
export type ModelOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "content"; readonly value: OutputContent[] };

/** How to convert an output for the model. */
export interface ModelOutputOptions {
  /** The version of `ai` that receives it, if it is known. */
  readonly version: AiSdkVersion | undefined;
  readonly accepts: ((mimeType: string) => boolean) | undefined;
}

/** Converts an output of `execute` for the model. */
export function toModelOutput(output: unknown, { version, accepts }: ModelOutputOptions): ModelOutput {
  if (!isAnswer(output)) return { type: "text", value: asText(output) };
  if (output.isError) return { type: "error-text", value: output.text };
  const media = mediaOf(output, accepts);
  if (media.length === 0) return { type: "text", value: output.text };
  const toContent = version === 7 ? toContent7 : toCommonContent;
  return { type: "content", value: [{ type: "text", text: output.text }, ...media.map(toContent)] };
}

/** Version 7 warns about the common format. Its own is not in the types, because version 6 would not accept them. */
function toContent7({ data, mimeType, filename }: Media): OutputContent {
  const file = { type: "file", data: { type: "data", data }, mediaType: mimeType, filename };
  return file as unknown as OutputContent;
}

function toCommonContent(media: Media): OutputContent {
  const { data, mimeType, filename } = media;
  if (isImage(media)) return { type: "image-data", data, mediaType: mimeType };
  return { type: "file-data", data, mediaType: mimeType, filename };
}

/** Checks an output, because outputs can also come from stored conversations, which may contain anything. */
function isAnswer(output: unknown): output is AiSdkOutput {
  if (typeof output !== "object" || output === null) return false;
  const { text, parts } = output as { readonly text?: unknown; readonly parts?: unknown };
  return typeof text === "string" && Array.isArray(parts);
}

function asText(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}
