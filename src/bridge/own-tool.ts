import {
  type AgentTool,
  type CallOptions,
  isJsonObject,
  type JsonObject,
  type Provenance,
  type ToolResult,
} from "../model/index.ts";
import { typeName, withArticle } from "./check/check-scalar.ts";

/** The names of Plugboard's own tools. Servers' tools never get these names. */
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

/** The outcome of one of Plugboard's own tools: a text, an error message, or a server's result. */
export type OwnToolOutcome = string | { readonly wrong: string } | ToolResult;

export const TEXT = { type: "string" } as const;
export const NUMBER = { type: "integer", minimum: 1 } as const;

/** Returns an object argument. Other values are errors, because ignoring them would lose what the model passed. */
export function objectArgument(
  args: JsonObject,
  key: string,
): { readonly object: JsonObject } | { readonly wrong: string } {
  const value = args[key] ?? {};
  if (isJsonObject(value)) return { object: value };
  return { wrong: `"${key}" must be an object, not ${withArticle(typeName(value))}.` };
}

const OWN_PROVENANCE: Provenance = { tool: "plugboard", scope: "program", tier: "user", file: "plugboard" };

/** Creates one of Plugboard's own tools. */
export function ownTool(
  name: (typeof OWN_NAMES)[number],
  description: string,
  properties: JsonObject,
  required: readonly string[],
  run: (args: JsonObject, options: CallOptions) => Promise<OwnToolOutcome>,
): AgentTool {
  return {
    name,
    title: name,
    description,
    inputSchema: { type: "object", properties, required },
    server: OWN_PROVENANCE.tool,
    tool: name,
    approval: "allow",
    stale: false,
    async execute(args, options = {}) {
      const outcome = await run(args, options);
      if (typeof outcome !== "string" && !("wrong" in outcome)) return outcome;
      const text = typeof outcome === "string" ? outcome : `MCP error: ${outcome.wrong}`;
      const details = {
        serverName: OWN_PROVENANCE.tool,
        mcpToolName: name,
        provider: OWN_PROVENANCE.tool,
        source: OWN_PROVENANCE,
      };
      return { text, parts: [{ type: "text", text }], isError: typeof outcome !== "string", details };
    },
  };
}
