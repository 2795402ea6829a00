/** Tools for Mastra's agents. Does not import Mastra's package. */
export type { CallDecision, DecideCall, WantedCall } from "../adapter-options.ts";
export type { AiSdkOutput, ModelOutput } from "../ai-sdk/index.ts";
export type { SchemaRules } from "../schema/provider-schema.ts";
export type { ToolSource } from "../tool-source.ts";
export type { MastraOptions, MastraTool } from "./mastra-tools.ts";
export { mastraTools } from "./mastra-tools.ts";
