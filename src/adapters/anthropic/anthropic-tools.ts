import type { AdapterOptions } from "../adapter-options.ts";
import { bindTools, type ConvertedTool } from "../bound-tools.ts";
import { makeCall } from "../make-call.ts";
import { isCommonlySupported, isImage, type Media, type ModelResult, mediaOf } from "../model-content.ts";
import type { ToolSource } from "../tool-source.ts";

/** A tool definition for the Messages API. */
export interface AnthropicTool {
  /** The name that the model uses. */
  name: string;
  /** What the tool does, for the model. */
  description: string;
  /** The JSON Schema of the arguments. */
  input_schema: { type: "object"; [key: string]: unknown };
}

type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";
type ResultContent =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: ImageType; data: string } }
  | { type: "document"; source: { type: "base64"; media_type: "application/pdf"; data: string } };

/** A tool result block for the content of the next user message. */
export interface AnthropicResult {
  /** The type of the block. */
  type: "tool_result";
  /** The id of the `tool_use` block. */
  tool_use_id: string;
  /** The result. */
  content: string | ResultContent[];
  /** `true` if the call failed. */
  is_error?: boolean;
}

/** A tool for `client.beta.messages.toolRunner`. */
export interface RunnableAnthropicTool extends AnthropicTool {
  /** Calls the tool. Rejects if the call fails, because the runner reports errors that way. */
  run(
    args: unknown,
    context?: {
      readonly signal?: AbortSignal | null | undefined;
      readonly toolUse?: { readonly id: string };
    },
  ): Promise<string | ResultContent[]>;
  /** Returns the arguments unchanged. The host validates them. */
  parse(content: unknown): unknown;
}

/** Tools for Anthropic's Messages API. */
export interface AnthropicTools {
  /** Returns the current tools, for the `tools` of the next request. */
  definitions(): Promise<AnthropicTool[]>;
  /** Makes all calls in a message's `content`. Rejects only if aborted. */
  run(
    content: readonly { readonly type: string }[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<AnthropicResult[]>;
  /** Returns the current tools for the SDK's tool runner. */
  runnable(): Promise<RunnableAnthropicTool[]>;
}

interface ToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Converts the tools of a session or a list for Anthropic's Messages API. */
export function anthropicTools(source: ToolSource, options: AdapterOptions = {}): AnthropicTools {
  const bound = bindTools(source, "anthropic");
  return {
    definitions: async () => (await bound.read()).map(toDefinition),
    run: (content, { signal } = {}) =>
      Promise.all(
        content.filter(isToolUse).map(async ({ id, name, input }): Promise<AnthropicResult> => {
          const answer = await bound.call({ name, args: input, id }, { ...options, signal });
          return {
            type: "tool_result",
            tool_use_id: id,
            content: toContent(answer, options),
            ...(answer.isError && { is_error: true }),
          };
        }),
      ),
    runnable: async () => (await bound.read()).map((clean) => toRunnable(clean, options)),
  };
}

function toDefinition({ tool, schema }: ConvertedTool): AnthropicTool {
  return { name: tool.name, description: tool.description, input_schema: { ...schema, type: "object" } };
}

function toRunnable(clean: ConvertedTool, options: AdapterOptions): RunnableAnthropicTool {
  const { name } = clean.tool;
  return {
    ...toDefinition(clean),
    parse: (content) => content,
    async run(args, context) {
      const call = { name, args, ...(context?.toolUse && { id: context.toolUse.id }) };
      const answer = await makeCall(clean, call, { ...options, signal: context?.signal ?? undefined });
      // The runner reports a thrown error as an error result and adds `Error: ` to it.
      if (answer.isError) throw new Error(answer.text.replace(/^Error: /, ""));
      return toContent(answer, options);
    },
  };
}

function toContent(
  answer: ModelResult,
  { accepts = isCommonlySupported }: AdapterOptions,
): string | ResultContent[] {
  // The API rejects other types, even if the program accepts them.
  const media = answer.isError ? [] : mediaOf(answer, (type) => isCommonlySupported(type) && accepts(type));
  return media.length === 0 ? answer.text : [{ type: "text", text: answer.text }, ...media.map(toBlock)];
}

function toBlock(media: Media): ResultContent {
  const { data, mimeType } = media;
  if (isImage(media)) {
    return { type: "image", source: { type: "base64", media_type: mimeType as ImageType, data } };
  }
  return { type: "document", source: { type: "base64", media_type: "application/pdf", data } };
}

function isToolUse(block: { readonly type: string }): block is ToolUse {
  return block.type === "tool_use";
}
