/** Tools for the AI SDK (`ai` 6 and 7). Does not import that package. */
export type { CallDecision, DecideCall, WantedCall } from "../adapter-options.ts";
export type { SchemaRules } from "../schema/provider-schema.ts";
export type { ToolSource } from "../tool-source.ts";
export type { AiSdkOutput } from "./ai-sdk-output.ts";
export type { AiSdkTools } from "./ai-sdk-tools.ts";
export { aiSdkTools } from "./ai-sdk-tools.ts";
export type { AiSdkVersion, ModelOutput } from "./model-output.ts";
export type { AiSdkTool, AiSdkToolOptions } from "./to-ai-sdk-tool.ts";
