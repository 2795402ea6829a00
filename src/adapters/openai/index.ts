/** Tools for OpenAI's Responses API, its Chat Completions API and its Agents SDK. Does not import those packages. */
export type { CallDecision, DecideCall, WantedCall } from "../adapter-options.ts";
export type { SearchTools, ToolSearchOptions } from "../tool-search.ts";
export type { ToolSource } from "../tool-source.ts";
export type { AgentsTool } from "./agents-tools.ts";
export { agentsTools } from "./agents-tools.ts";
export type { ChatTool, ChatToolCall, ChatToolMessage, ChatTools } from "./chat-tools.ts";
export { chatTools } from "./chat-tools.ts";
export type { OpenAiOptions } from "./openai-options.ts";
export type {
  ResponsesOptions,
  ResponsesOutput,
  ResponsesSearchOutput,
  ResponsesTool,
  ResponsesToolSearch,
  ResponsesTools,
} from "./responses-tools.ts";
export { responsesTools } from "./responses-tools.ts";
