/** Catalog → agent tools: names, schemas, argument checks, results. Pure: the call itself is plugged in. */
export { checkArguments } from "./check-arguments.ts";
export type { BridgeOptions, ToolSource } from "./to-agent-tools.ts";
export { byName, toAgentTools } from "./to-agent-tools.ts";
export { plainToolName, ToolNames } from "./tool-name.ts";
export { toContentPart, toToolResult } from "./tool-result.ts";
