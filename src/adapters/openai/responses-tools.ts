import type { SessionToolsOptions } from "../../index.ts";
import { bindTools, type ConvertedTool } from "../bound-tools.ts";
import { dataUrl, isImage, type Media, mediaOf } from "../model-content.ts";
import {
  createToolSearch,
  keepsDefinitions,
  SEARCH_DESCRIPTION,
  SEARCH_SCHEMA,
  type ToolSearchOptions,
} from "../tool-search.ts";
import type { ToolSource } from "../tool-source.ts";
import { type OpenAiOptions, rulesOf } from "./openai-options.ts";

/** A tool definition for the Responses API. */
export interface ResponsesTool {
  /** The type of the tool. */
  type: "function";
  /** The name that the model uses. */
  name: string;
  /** What the tool does, for the model. */
  description: string;
  /** The JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** Whether the API enforces the schema. */
  strict: boolean;
  /** `true` if the model does not see the tool until a search finds it. */
  defer_loading?: boolean;
}

/** The API's tool search. The program executes it if it has a `search`. */
export interface ResponsesToolSearch {
  /** The type of the tool. */
  type: "tool_search";
  /** Who searches. */
  execution?: "client";
  /** What the search does, for the model. */
  description?: string;
  /** The JSON Schema of the arguments. */
  parameters?: Record<string, unknown>;
}

/** The result of a search by the program, for the `input` of the next request. */
export interface ResponsesSearchOutput {
  /** The type of the item. */
  type: "tool_search_output";
  /** The id of the call. */
  call_id: string;
  /** Who searched. */
  execution: "client";
  /** The state of the search. */
  status: "completed";
  /** The definitions of the tools that were found. */
  tools: ResponsesTool[];
}

/** Options for `responsesTools`. */
export interface ResponsesOptions extends OpenAiOptions, ToolSearchOptions {}

type OutputContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

/** The result of a call, for the `input` of the next request. */
export interface ResponsesOutput {
  /** The type of the item. */
  type: "function_call_output";
  /** The id of the call. */
  call_id: string;
  /** The result. */
  output: string | OutputContent[];
}

/** Tools for the Responses API. */
export interface ResponsesTools {
  /** Returns the current tools, for the `tools` of the next request. */
  definitions(options?: SessionToolsOptions): Promise<(ResponsesTool | ResponsesToolSearch)[]>;
  /** Makes all calls in a response's `output`. Rejects only if aborted. */
  run(
    output: readonly { readonly type: string }[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<(ResponsesOutput | ResponsesSearchOutput)[]>;
}

interface FunctionCall {
  readonly type: "function_call";
  readonly name: string;
  readonly arguments: string;
  readonly call_id: string;
}

interface SearchCall {
  readonly type: "tool_search_call";
  readonly execution: "client";
  readonly arguments: unknown;
  readonly call_id: string;
}

/** Converts the tools of a session or a list for OpenAI's Responses API. */
export function responsesTools(source: ToolSource, options: ResponsesOptions = {}): ResponsesTools {
  const bound = bindTools(source, rulesOf(options), { keepDefinitions: keepsDefinitions(options) });
  const search = createToolSearch(bound, options);
  const isOwnSearch = search.isEnabled && options.search !== undefined;
  const runSearch = async ({ arguments: args, call_id: id }: SearchCall): Promise<ResponsesSearchOutput> => {
    const found = await search.find(args);
    // The item cannot hold an error.
    const tools = typeof found === "string" ? [] : found.map((clean) => toDefinition(clean, true));
    return { type: "tool_search_output", call_id: id, execution: "client", status: "completed", tools };
  };
  const runCall = async (call: FunctionCall, signal: AbortSignal | undefined): Promise<ResponsesOutput> => {
    const { name, arguments: args, call_id: id } = call;
    const answer = await bound.call({ name, args, id }, { ...options, signal });
    const media = mediaOf(answer, options.accepts).map(toContent);
    const text = { type: "input_text" as const, text: answer.text };
    const output = media.length === 0 ? answer.text : [text, ...media];
    return { type: "function_call_output", call_id: id, output };
  };
  return {
    async definitions(wanted) {
      const tools = await bound.read(wanted);
      const isDeferred = ({ tool }: ConvertedTool): boolean => search.isDeferred(tool);
      // A search by the program returns the definitions, so that the request needs none of the hidden tools.
      const shown = isOwnSearch ? tools.filter((clean) => !isDeferred(clean)) : tools;
      const definitions = shown.map((clean) => toDefinition(clean, isDeferred(clean)));
      return search.isEnabled ? [searchTool(isOwnSearch), ...definitions] : definitions;
    },
    run: (output, { signal } = {}) =>
      Promise.all(
        output.flatMap((item): Promise<ResponsesOutput | ResponsesSearchOutput>[] => {
          if (isCall(item)) return [runCall(item, signal)];
          return isSearchCall(item) ? [runSearch(item)] : [];
        }),
      ),
  };
}

function searchTool(isOwn: boolean): ResponsesToolSearch {
  if (!isOwn) return { type: "tool_search" };
  return {
    type: "tool_search",
    execution: "client",
    description: SEARCH_DESCRIPTION,
    parameters: { ...SEARCH_SCHEMA },
  };
}

function toDefinition({ tool, schema, strict }: ConvertedTool, isDeferred: boolean): ResponsesTool {
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: { ...schema },
    strict,
    ...(isDeferred && { defer_loading: true }),
  };
}

function isCall(item: { readonly type: string }): item is FunctionCall {
  return item.type === "function_call";
}

function isSearchCall(item: { readonly type: string }): item is SearchCall {
  return item.type === "tool_search_call" && "execution" in item && item.execution === "client";
}

function toContent(media: Media): OutputContent {
  if (isImage(media)) return { type: "input_image", image_url: dataUrl(media), detail: "auto" };
  return { type: "input_file", filename: media.filename, file_data: dataUrl(media) };
}
