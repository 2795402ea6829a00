import type { SessionToolsOptions } from "../../index.ts";
import { bindTools, type ConvertedTool } from "../bound-tools.ts";
import { sourceFor } from "../keep-definitions.ts";
import { makeCall, needsApproval } from "../make-call.ts";
import { dataUrl, isImage, type Media, mediaOf } from "../model-content.ts";
import { lastTools, type ToolSource } from "../tool-source.ts";
import { type OpenAiOptions, rulesOf } from "./openai-options.ts";

type OutputContent =
  | { type: "text"; text: string }
  | { type: "image"; image: string }
  | { type: "file"; file: { data: string; mediaType: string; filename: string } };

/** A function tool for the Agents SDK. */
export interface AgentsTool {
  /** The type of the tool. */
  type: "function";
  /** The name that the model uses. */
  name: string;
  /** What the tool does, for the model. */
  description: string;
  /** The JSON Schema of the arguments. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's schema type requires it
  parameters: any;
  /** Whether the API enforces the schema. */
  strict: boolean;
  /** Calls the tool. `input` is the arguments as JSON text. */
  invoke(
    context: unknown,
    input: string,
    details?: { readonly signal?: AbortSignal; readonly toolCall?: { readonly callId: string } },
  ): Promise<string | OutputContent[]>;
  /** Returns whether the SDK must ask a person before this call. */
  needsApproval(context: unknown, input: unknown, callId?: string): Promise<boolean>;
  /** Returns whether the server still offers the tool. */
  isEnabled(): Promise<boolean>;
}

/** Converts the tools of a session or a list for the Agents SDK. Tools that a server removes later become disabled. */
export async function agentsTools(
  from: ToolSource,
  options: OpenAiOptions & SessionToolsOptions = {},
): Promise<AgentsTool[]> {
  const source = sourceFor(from, options);
  const bound = bindTools(source, rulesOf(options), options);
  return (await bound.read(options)).map((clean) => toAgentsTool(clean, source, options));
}

function toAgentsTool(clean: ConvertedTool, source: ToolSource, options: OpenAiOptions): AgentsTool {
  const { tool, schema, strict } = clean;
  const { name, description } = tool;
  return {
    type: "function",
    name,
    description,
    parameters: { additionalProperties: true, required: [], ...schema },
    strict,
    async invoke(_context, args, { signal, toolCall } = {}) {
      const call = { name, args, ...(toolCall && { id: toolCall.callId }) };
      const answer = await makeCall(clean, call, { ...options, signal, asks: true });
      const media = mediaOf(answer, options.accepts);
      return media.length === 0
        ? answer.text
        : [{ type: "text", text: answer.text }, ...media.map(toContent)];
    },
    needsApproval: (_context, args, id) =>
      needsApproval(clean, { args, ...(id !== undefined && { id }) }, options.decide),
    isEnabled: async () => lastTools(source).some((held) => held.name === name),
  };
}

function toContent(media: Media): OutputContent {
  if (isImage(media)) return { type: "image", image: dataUrl(media) };
  const { data, mimeType, filename } = media;
  return { type: "file", file: { data, mediaType: mimeType, filename } };
}
