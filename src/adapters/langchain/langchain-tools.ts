import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { JsonObject } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import { bindTools } from "../bound-tools.ts";
import { makeCall } from "../make-call.ts";
import { isImage, type Media, type ModelResult, mediaOf } from "../model-content.ts";
import { omit } from "../schema/json-object.ts";
import { mapSchema } from "../schema/map-schema.ts";
import type { SchemaRules } from "../schema/provider-schema.ts";
import type { ToolSource } from "../tool-source.ts";

/** Options for `langChainTools`. */
export interface LangChainOptions extends AdapterOptions {
  /** The provider whose rules the schemas follow. Default: `"any"`, which leaves schemas as the servers wrote them. */
  readonly schemas?: SchemaRules;
}

interface CallConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** Converts the tools of a session or a list for LangChain. The `artifact` of each tool message is the complete result. */
export async function langChainTools(
  source: ToolSource,
  options: LangChainOptions = {},
): Promise<DynamicStructuredTool[]> {
  const { DynamicStructuredTool: Tool } = await import("@langchain/core/tools");
  const bound = bindTools(source, options.schemas ?? "any");
  return (await bound.read()).map(
    (clean) =>
      new Tool({
        name: clean.tool.name,
        description: clean.tool.description,
        schema: withoutPatterns(clean.schema),
        responseFormat: "content_and_artifact",
        metadata: { server: clean.tool.server, tool: clean.tool.tool },
        async func(args: unknown, _manager: unknown, config?: CallConfig) {
          const id = config?.toolCall?.id;
          const call = { name: clean.tool.name, args, ...(id !== undefined && { id }) };
          const answer = await makeCall(clean, call, { ...options, signal: config?.signal });
          return [toContent(answer, options), answer];
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

function toContent(answer: ModelResult, { accepts }: LangChainOptions): string | object[] {
  const media = mediaOf(answer, accepts);
  return media.length === 0 ? answer.text : [{ type: "text", text: answer.text }, ...media.map(toBlock)];
}

/** Returns a standard content block, which each provider's package converts. */
function toBlock(media: Media): object {
  const { data, mimeType } = media;
  return {
    type: isImage(media) ? "image" : mimeType.startsWith("audio/") ? "audio" : "file",
    mimeType,
    data,
  };
}
