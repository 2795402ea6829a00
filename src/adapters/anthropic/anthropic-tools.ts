import type { AdapterOptions } from "../adapter-options.ts";
import { bindTools, type CleanTool } from "../bound-tools.ts";
import { makeCall } from "../make-call.ts";
import { type Answer, isImage, isTakenByMost, type Media, mediaOf } from "../model-content.ts";
import type { ToolSource } from "../tool-source.ts";

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: "object"; [key: string]: unknown };
}

type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";
type ResultContent =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: ImageType; data: string } }
  | { type: "document"; source: { type: "base64"; media_type: "application/pdf"; data: string } };

/** What goes into the content of the next user message. */
export interface AnthropicResult {
  type: "tool_result";
  tool_use_id: string;
  content: string | ResultContent[];
  is_error?: boolean;
}

/** A tool for `client.beta.messages.toolRunner`. */
export interface RunnableAnthropicTool extends AnthropicTool {
  run(
    args: unknown,
    context?: {
      readonly signal?: AbortSignal | null | undefined;
      readonly toolUse?: { readonly id: string };
    },
  ): Promise<string | ResultContent[]>;
  parse(content: unknown): unknown;
}

export interface AnthropicTools {
  /** `tools` of the next request, as the session has them now. */
  definitions(): Promise<AnthropicTool[]>;
  /** Makes every call in a message's `content`. Rejects only when aborted. */
  run(
    content: readonly { readonly type: string }[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<AnthropicResult[]>;
  /** The same tools for the SDK's own loop. */
  runnable(): Promise<RunnableAnthropicTool[]>;
}

interface ToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The tools of a session, or of a list, for Anthropic's Messages API. */
export function anthropicTools(source: ToolSource, options: AdapterOptions = {}): AnthropicTools {
  const bound = bindTools(source, "anthropic");
  return {
    definitions: async () => (await bound.read()).map(toDefinition),
    run: (content, { signal } = {}) =>
      Promise.all(
        content.filter(isToolUse).map(async ({ id, name, input }): Promise<AnthropicResult> => {
          const answer = await makeCall(
            bound.find(name),
            { name, args: input, id },
            { ...options, signal, namesLike: bound.namesLike },
          );
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

function toDefinition({ tool, schema }: CleanTool): AnthropicTool {
  return { name: tool.name, description: tool.description, input_schema: { ...schema, type: "object" } };
}

function toRunnable(clean: CleanTool, options: AdapterOptions): RunnableAnthropicTool {
  const { name } = clean.tool;
  return {
    ...toDefinition(clean),
    parse: (content) => content,
    async run(args, context) {
      const call = { name, args, ...(context?.toolUse && { id: context.toolUse.id }) };
      const answer = await makeCall(clean, call, { ...options, signal: context?.signal ?? undefined });
      // The runner marks as an error what is thrown, and puts `Error: ` in front of it.
      if (answer.isError) throw new Error(answer.text.replace(/^Error: /, ""));
      return toContent(answer, options);
    },
  };
}

function toContent(answer: Answer, { accepts = isTakenByMost }: AdapterOptions): string | ResultContent[] {
  // Whatever a program accepts, the API takes nothing else.
  const media = answer.isError ? [] : mediaOf(answer, (type) => isTakenByMost(type) && accepts(type));
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
