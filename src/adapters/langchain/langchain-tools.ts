import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { JsonObject } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import { bindTools } from "../bound-tools.ts";
import { makeCall } from "../make-call.ts";
import { type Answer, isImage, type Media, mediaOf } from "../model-content.ts";
import { omit } from "../schema/json-object.ts";
import { mapSchema } from "../schema/map-schema.ts";
import type { SchemaRules } from "../schema/provider-schema.ts";
import type { ToolSource } from "../tool-source.ts";

export interface LangChainOptions extends AdapterOptions {
  /** Which provider's rules the schemas follow; as the servers wrote them unless set. */
  readonly schemas?: SchemaRules;
}

interface CallConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** The tools of a session, or of a list, as LangChain takes them. The whole answer is the message's `artifact`. */
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
 * LangChain checks arguments itself, with regular expressions that a server could make run for years. The host checks
 * every pattern within bounds.
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

function toContent(answer: Answer, { accepts }: LangChainOptions): string | object[] {
  const media = mediaOf(answer, accepts);
  return media.length === 0 ? answer.text : [{ type: "text", text: answer.text }, ...media.map(toBlock)];
}

/** A standard content block; each provider's package translates it. */
function toBlock(media: Media): object {
  const { data, mimeType } = media;
  return {
    type: isImage(media) ? "image" : mimeType.startsWith("audio/") ? "audio" : "file",
    mimeType,
    data,
  };
}
