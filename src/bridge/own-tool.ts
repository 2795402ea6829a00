import {
  type AgentTool,
  type CallOptions,
  isJsonObject,
  type JsonObject,
  type Provenance,
  type ToolResult,
} from "../model/index.ts";
import { typeName, withArticle } from "./check/check-scalar.ts";

/** Names that no server's tool is ever given. */
export const OWN_NAMES = [
  "mcp_search_tools",
  "mcp_describe_tool",
  "mcp_call_tool",
  "mcp_listTools",
  "mcp_getToolSchema",
  "mcp_callTool",
  "mcp_list_resources",
  "mcp_read_resource",
  "mcp_get_prompt",
] as const;

/** A text, a text that says what is wrong, or a server's answer as it is. */
export type Said = string | { readonly wrong: string } | ToolResult;

export const TEXT = { type: "string" } as const;
export const NUMBER = { type: "integer", minimum: 1 } as const;

/** An object that a model gives to be handed on. Something else is refused: nothing is ever done with less than was given. */
export function objectIn(
  args: JsonObject,
  key: string,
): { readonly object: JsonObject } | { readonly wrong: string } {
  const value = args[key] ?? {};
  if (isJsonObject(value)) return { object: value };
  return { wrong: `"${key}" must be an object, not ${withArticle(typeName(value))}.` };
}

const OURS: Provenance = { tool: "plugboard", scope: "program", tier: "user", file: "plugboard" };

/** A tool of ours among those of the servers. */
export function ownTool(
  name: (typeof OWN_NAMES)[number],
  description: string,
  properties: JsonObject,
  required: readonly string[],
  run: (args: JsonObject, options: CallOptions) => Promise<Said>,
): AgentTool {
  return {
    name,
    title: name,
    description,
    inputSchema: { type: "object", properties, required },
    server: OURS.tool,
    tool: name,
    approval: "allow",
    stale: false,
    async execute(args, options = {}) {
      const said = await run(args, options);
      if (typeof said !== "string" && !("wrong" in said)) return said;
      const text = typeof said === "string" ? said : `MCP error: ${said.wrong}`;
      const details = { serverName: OURS.tool, mcpToolName: name, provider: OURS.tool, source: OURS };
      return { text, parts: [{ type: "text", text }], isError: typeof said !== "string", details };
    },
  };
}
