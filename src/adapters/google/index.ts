/** Tools for the Google Gen AI SDK. Does not import that package. */
export type { AdapterOptions, CallDecision, DecideCall, WantedCall } from "../adapter-options.ts";
export type { ToolSource } from "../tool-source.ts";
export type {
  GoogleCallableTool,
  GoogleFunctionCall,
  GoogleFunctionResponse,
  GoogleTool,
  GoogleTools,
} from "./google-tools.ts";
export { googleTools } from "./google-tools.ts";
