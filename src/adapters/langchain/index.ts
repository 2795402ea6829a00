/** Tools for LangChain. Imports `@langchain/core` at the first use. */
export type { CallDecision, DecideCall, WantedCall } from "../adapter-options.ts";
export type { SchemaRules } from "../schema/provider-schema.ts";
export type { ToolSource } from "../tool-source.ts";
export type { LangChainOptions } from "./langchain-tools.ts";
export { langChainTools } from "./langchain-tools.ts";
