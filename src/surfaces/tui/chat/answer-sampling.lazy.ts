import {
  type FilePart,
  generateText,
  jsonSchema,
  type ModelMessage,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type ToolSet,
} from "ai";
import type {
  JsonObject,
  SamplingAnswer,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
} from "../../../index.ts";
import { toModelError } from "./models/model-error.ts";
import type { OpenModel } from "./models/open-model.ts";

const MOST_TOKENS = 32_000;

// Keeps the SDK from logging warnings about model settings to the console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** Answers a server's sampling request with the model. */
export async function answerSampling(
  model: OpenModel,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<SamplingAnswer> {
  const { systemPrompt, temperature, stopSequences } = request;
  const tools = toTools(request);
  try {
    const { content, finishReason } = await generateText({
      model: model.client,
      messages: toModelMessages(request.messages),
      maxOutputTokens: Math.min(request.maxTokens, MOST_TOKENS),
      abortSignal: signal,
      providerOptions: { openai: { store: false } },
      ...(systemPrompt !== undefined && { system: systemPrompt }),
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
      ...(Object.keys(tools).length > 0 && { tools, toolChoice: toToolChoice(request) }),
    });
    const said = content.flatMap((part): SamplingContent[] => {
      if (part.type === "text") return [{ type: "text", text: part.text }];
      if (part.type !== "tool-call") return [];
      return [
        { type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input as JsonObject },
      ];
    });
    return {
      content: said.length === 1 && said[0] !== undefined ? said[0] : said,
      model: model.name,
      stopReason: STOPS[finishReason] ?? finishReason,
    };
  } catch (error) {
    throw signal.aborted ? error : toModelError(error, model);
  }
}

/** Converts the server's tools. They have no `execute`, because the server runs them itself. */
function toTools({ tools = [] }: SamplingRequest): ToolSet {
  const set: ToolSet = {};
  for (const { name, description, inputSchema } of tools) {
    const schema = typeof inputSchema === "object" ? { ...inputSchema } : { type: "object" as const };
    const words = typeof description === "string" ? { description } : {};
    if (typeof name === "string") set[name] = { ...words, inputSchema: jsonSchema(schema) };
  }
  return set;
}

/** Maps the SDK's finish reasons to the protocol's stop reasons. */
const STOPS: Readonly<Record<string, string>> = {
  stop: "endTurn",
  length: "maxTokens",
  "tool-calls": "toolUse",
};

function toToolChoice({ toolChoice }: SamplingRequest): "auto" | "required" | "none" {
  const mode = toolChoice?.["mode"];
  return mode === "required" || mode === "none" ? mode : "auto";
}

function toModelMessages(messages: readonly SamplingMessage[]): ModelMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role, content }): ModelMessage[] => {
    for (const part of content) if (part.type === "tool_use") names.set(part.id, part.name);
    const results = content.flatMap((part) => (part.type === "tool_result" ? [toResult(part, names)] : []));
    const said = content.flatMap(toPart);
    const tool: ModelMessage[] = results.length === 0 ? [] : [{ role: "tool", content: results }];
    if (said.length === 0) return tool;
    return role === "assistant"
      ? [{ role, content: said.filter((part) => part.type !== "file") }]
      : [...tool, { role, content: said.filter((part) => part.type !== "tool-call") }];
  });
}

function toPart(part: SamplingContent): (TextPart | FilePart | ToolCallPart)[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "image":
    case "audio":
      return [{ type: "file", data: part.data, mediaType: part.mimeType }];
    case "tool_use":
      return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input }];
    case "tool_result":
      return [];
  }
}

function toResult(
  { toolUseId, content, isError = false }: Extract<SamplingContent, { type: "tool_result" }>,
  names: ReadonlyMap<string, string>,
): ToolResultPart {
  const value = content
    .map((part) => (typeof part["text"] === "string" ? part["text"] : JSON.stringify(part)))
    .join("\n");
  return {
    type: "tool-result",
    toolCallId: toolUseId,
    toolName: names.get(toolUseId) ?? "tool",
    output: { type: isError ? "error-text" : "text", value },
  };
}
