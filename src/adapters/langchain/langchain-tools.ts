import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { JsonObject, SessionToolsOptions } from "../../index.ts";
import type { AdapterOptions, WantedCall } from "../adapter-options.ts";
import { bindTools } from "../bound-tools.ts";
import { makeCall } from "../make-call.ts";
import {
  dataUrl,
  isCommonlySupported,
  isImage,
  type Media,
  type ModelResult,
  mediaOf,
} from "../model-content.ts";
import { omit } from "../schema/json-object.ts";
import { mapSchema } from "../schema/map-schema.ts";
import type { SchemaRules } from "../schema/provider-schema.ts";
import type { ToolSource } from "../tool-source.ts";

/** Options for `langChainTools`. */
export interface LangChainOptions extends AdapterOptions {
  /** The provider whose rules the schemas follow. Default: `"any"`, which leaves schemas as the servers wrote them. */
  readonly schemas?: SchemaRules;
  /** Asks a person about a call that requires approval, for example with LangGraph's `interrupt`. Default: the host's `onCall`. */
  readonly ask?: (call: WantedCall) => boolean | Promise<boolean>;
}

type ContentBlock =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "audio" | "file"; mimeType: string; data: string };

interface CallConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** Converts the tools of a session or a list for LangChain. The `artifact` of each tool message is the complete result. */
export async function langChainTools(
  source: ToolSource,
  options: LangChainOptions & SessionToolsOptions = {},
): Promise<DynamicStructuredTool[]> {
  const { DynamicStructuredTool: Tool } = await import("@langchain/core/tools");
  const { ToolMessage } = await import("@langchain/core/messages");
  const bound = bindTools(source, options.schemas ?? "any", options);
  return (await bound.read(options)).map(
    (clean) =>
      new Tool({
        name: clean.tool.name,
        description: clean.tool.description,
        schema: withoutPatterns(clean.schema),
        responseFormat: "content_and_artifact",
        metadata: { server: clean.tool.server, tool: clean.tool.tool },
        async func(args: unknown, _manager: unknown, config?: CallConfig) {
          const { name, server, tool } = clean.tool;
          const id = config?.toolCall?.id;
          const call = { name, args, ...(id !== undefined && { id }) };
          const answer = await makeCall(clean, call, { ...options, signal: config?.signal, isControlFlow });
          const content = toContent(answer, options);
          if (!answer.isError || id === undefined) return [content, answer];
          // LangChain marks every message that it creates itself as a success.
          const failed = { status: "error", tool_call_id: id, name, content, artifact: answer } as const;
          return [new ToolMessage({ ...failed, metadata: { server, tool } }), answer];
        },
      }),
  );
}

/**
 * Removes patterns, because LangChain would run a server's regular expressions without a time limit. The host checks patterns with
 * limits.
 */
function withoutPatterns(schema: JsonObject): JsonObject {
  return mapSchema(schema, (inner) =>
    omit(
      inner,
      inner["patternProperties"] === undefined
        ? ["pattern"]
        : ["pattern", "patternProperties", "additionalProperties", "unevaluatedProperties"],
    ),
  );
}

function toContent(answer: ModelResult, options: LangChainOptions): string | ContentBlock[] {
  const { accepts = isSupportedImage } = options;
  const media = answer.isError ? [] : mediaOf(answer, accepts);
  return media.length === 0 ? answer.text : [{ type: "text", text: answer.text }, ...media.map(toBlock)];
}

/** The default. OpenAI's package sends other files as base64 text. */
function isSupportedImage(mimeType: string): boolean {
  return mimeType.startsWith("image/") && isCommonlySupported(mimeType);
}

/** Returns an image in the one format that every provider's package converts in tool messages, and other media as standard blocks. */
function toBlock(media: Media): ContentBlock {
  const { data, mimeType } = media;
  if (isImage(media)) return { type: "image_url", image_url: { url: dataUrl(media) } };
  return { type: mimeType.startsWith("audio/") ? "audio" : "file", mimeType, data };
}

/** Returns whether LangGraph threw the error to pause the graph. */
function isControlFlow(error: unknown): boolean {
  return error instanceof Error && "is_bubble_up" in error && error.is_bubble_up === true;
}
