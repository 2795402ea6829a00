/** Catalog → agent tools: names, schemas, argument checks, results. Pure: the call itself is plugged in. */
export { checkArguments, suggest } from "./check-arguments.ts";
export { convertSchema } from "./convert-schema.ts";
export type { BridgeOptions, ToolSource } from "./to-agent-tools.ts";
export { toAgentTools } from "./to-agent-tools.ts";
export type { NamedTool } from "./tool-name.ts";
export { plainToolName, ToolNames } from "./tool-name.ts";
export { toToolResult } from "./tool-result.ts";
