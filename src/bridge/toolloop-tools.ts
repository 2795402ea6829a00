import { type AgentTool, shortLine, truncate } from "../model/index.ts";
import { capped, type MetaSource, within } from "./meta-source.ts";
import { NUMBER, objectArgument, ownTool, TEXT } from "./own-tool.ts";

/** ToolLoop's limits. */
const [LIST_SUMMARY_CHARS, LIST_MOST] = [400, 128] as const;

/** Creates ToolLoop's three meta tools with ToolLoop's limits, under names that every model provider accepts. */
export function toToolLoopTools(source: MetaSource): AgentTool[] {
  const serverId = { ...TEXT, description: `One of ${serversIn(source.tools()).join(", ")}` };
  const find = (server: unknown, tool: unknown): AgentTool | undefined =>
    source.tools().find((each) => each.server === server && each.tool === tool);
  const toolName = { ...TEXT, description: "The tool's name on that server" };
  const missing = (server: unknown, tool: unknown): string =>
    JSON.stringify({ ok: false, error: `Server "${String(server)}" has no tool "${String(tool)}" here.` });
  return [
    ownTool(
      "mcp_listTools",
      "Lists the tools of an MCP server.",
      { serverId, offset: { type: "integer", minimum: 0 }, limit: { ...NUMBER, maximum: LIST_MOST } },
      ["serverId"],
      async ({ serverId: server, offset, limit }) => {
        const mine = source.tools().filter((tool) => tool.server === server);
        const sorted = mine.sort((left, right) => (left.tool < right.tool ? -1 : 1));
        const start = typeof offset === "number" ? Math.max(0, offset) : 0;
        const page = sorted.slice(start, start + within(limit, LIST_MOST, LIST_MOST));
        return JSON.stringify(
          page.map((tool) => ({
            name: tool.tool,
            description: truncate(tool.description, LIST_SUMMARY_CHARS),
          })),
        );
      },
    ),
    ownTool(
      "mcp_getToolSchema",
      "Shows a tool's description and schemas.",
      { serverId, toolName },
      ["serverId", "toolName"],
      async ({ serverId: server, toolName: name }) => {
        const tool = find(server, name);
        if (tool === undefined) return missing(server, name);
        const { description, inputSchema, outputSchema } = tool;
        const schemas = {
          inputSchema: capped(inputSchema),
          ...(outputSchema && { outputSchema: capped(outputSchema) }),
        };
        return JSON.stringify({ ok: true, toolName: tool.tool, description, ...schemas });
      },
    ),
    ownTool(
      "mcp_callTool",
      "Calls a tool of an MCP server.",
      { serverId, toolName, args: { type: "object", properties: {} } },
      ["serverId", "toolName"],
      async (args, options) => {
        const { serverId: server, toolName: name } = args;
        const tool = find(server, name);
        if (tool === undefined) return { wrong: missing(server, name) };
        const given = objectArgument(args, "args");
        return "wrong" in given ? given : tool.execute(given.object, options);
      },
    ),
  ];
}

function serversIn(tools: readonly AgentTool[]): string[] {
  return [...new Set(tools.map(({ server }) => server))].map((server) => shortLine(server, 60)).sort();
}
