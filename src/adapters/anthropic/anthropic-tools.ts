import type { SessionToolsOptions } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import { type BoundTools, bindTools, type ConvertedTool } from "../bound-tools.ts";
import { type MakeCallOptions, makeCall, type RequestedCall } from "../make-call.ts";
import { isCommonlySupported, isImage, type Media, type ModelResult, mediaOf } from "../model-content.ts";
import {
  createToolSearch,
  keepsDefinitions,
  SEARCH_DESCRIPTION,
  SEARCH_SCHEMA,
  type ToolSearchOptions,
} from "../tool-search.ts";
import type { ToolSource } from "../tool-source.ts";

/** A tool definition for the Messages API. */
export interface AnthropicTool {
  /** The name that the model uses. */
  name: string;
  /** What the tool does, for the model. */
  description: string;
  /** The JSON Schema of the arguments. */
  input_schema: { type: "object"; [key: string]: unknown };
  /** `true` if the model does not see the tool until a search finds it. */
  defer_loading?: boolean;
}

/** Anthropic's own tool search. */
export interface AnthropicToolSearch {
  /** The type of the tool. */
  type: "tool_search_tool_bm25_20251119";
  /** The name of the tool. */
  name: "tool_search_tool_bm25";
}

type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";
type ResultContent =
  | { type: "text"; text: string }
  | { type: "tool_reference"; tool_name: string }
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
  definitions(options?: SessionToolsOptions): Promise<(AnthropicTool | AnthropicToolSearch)[]>;
  /** Makes all calls in a message's `content`. Rejects only if aborted. */
  run(
    content: readonly { readonly type: string }[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<AnthropicResult[]>;
  /** Returns the current tools for the SDK's tool runner. They are not deferred. */
  runnable(options?: SessionToolsOptions): Promise<RunnableAnthropicTool[]>;
}

interface ToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The name of the search tool, if the program searches. */
const SEARCH_NAME = "mcp_find_tools";

/** Converts the tools of a session or a list for Anthropic's Messages API. */
export function anthropicTools(source: ToolSource, options: ToolSearchOptions = {}): AnthropicTools {
  const bound = bindTools(source, "anthropic", { keepDefinitions: keepsDefinitions(options) });
  const search = createToolSearch(bound, options);
  const runOne = async (
    { id, name, input }: ToolUse,
    signal: AbortSignal | undefined,
  ): Promise<AnthropicResult> => {
    const isSearch = search.isEnabled && options.search !== undefined && name === SEARCH_NAME;
    const { content, isError } = isSearch
      ? toReferences(await search.find(input))
      : await callTool(bound, { name, args: input, id }, { ...options, signal });
    return { type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) };
  };
  return {
    async definitions(wanted) {
      const tools = (await bound.read(wanted)).map((clean) => ({
        ...toDefinition(clean),
        ...(search.isDeferred(clean.tool) && { defer_loading: true }),
      }));
      return search.isEnabled ? [searchTool(options), ...tools] : tools;
    },
    run: (content, { signal } = {}) =>
      Promise.all(content.filter(isToolUse).map((call) => runOne(call, signal))),
    runnable: async (wanted) => (await bound.read(wanted)).map((clean) => toRunnable(clean, options)),
  };
}

interface Outcome {
  readonly content: string | ResultContent[];
  readonly isError: boolean;
}

async function callTool(
  bound: BoundTools,
  call: RequestedCall,
  options: MakeCallOptions & AdapterOptions,
): Promise<Outcome> {
  const answer = await bound.call(call, options);
  return { content: toContent(answer, options), isError: answer.isError };
}

function searchTool({ search }: ToolSearchOptions): AnthropicTool | AnthropicToolSearch {
  if (search === undefined) return { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" };
  return { name: SEARCH_NAME, description: SEARCH_DESCRIPTION, input_schema: { ...SEARCH_SCHEMA } };
}

/** Refers to the found tools. The API then shows their definitions to the model. */
function toReferences(found: readonly ConvertedTool[] | string): Outcome {
  if (typeof found === "string") return { content: found, isError: true };
  if (found.length === 0) return { content: "No tools were found.", isError: false };
  const content = found.map(({ tool }) => ({ type: "tool_reference" as const, tool_name: tool.name }));
  return { content, isError: false };
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
