/** Tools for Anthropic's Messages API and its tool runner. Does not import Anthropic's package. */
export type { AdapterOptions, CallDecision, DecideCall, WantedCall } from "../adapter-options.ts";
export type { SearchTools, ToolSearchOptions } from "../tool-search.ts";
export type { ToolSource } from "../tool-source.ts";
export type {
  AnthropicResult,
  AnthropicTool,
  AnthropicToolSearch,
  AnthropicTools,
  RunnableAnthropicTool,
} from "./anthropic-tools.ts";
export { anthropicTools } from "./anthropic-tools.ts";
