import {
  type AgentTool,
  groupBy,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  nearest,
  safeLine,
  shortLine,
  truncate,
} from "../model/index.ts";
import { NUMBER, objectArgument, ownTool, TEXT } from "./own-tool.ts";
import type { ToolFinder } from "./search/tool-finder.ts";
import { toolsWithPlainName } from "./tool-name.ts";

/** The source of the tools that the meta tools search and call. */
export interface MetaSource {
  tools(): readonly AgentTool[];
}

const CATALOG_CHARS = 2_400;
const SUMMARY_CHARS = 240;
const [FOUND, FOUND_MOST] = [8, 50] as const;
/** ToolLoop's limits. */
const [LIST_SUMMARY_CHARS, LIST_MOST, SCHEMA_CHARS] = [400, 128, 64_000] as const;

/** Creates tools that search for, describe and call other tools: three definitions instead of thousands. */
export function toMetaTools(source: MetaSource, find: ToolFinder): AgentTool[] {
  const byName = (name: string): AgentTool | undefined => source.tools().find((tool) => tool.name === name);
  return [
    ownTool(
      "mcp_search_tools",
      `Finds tools of the connected MCP servers by what they do. Describe the task in a few words. Call a matching tool with mcp_call_tool.\n${catalogLines(source.tools())}`,
      {
        query: { ...TEXT, description: "What the tool should do" },
        limit: { ...NUMBER, maximum: FOUND_MOST },
      },
      ["query"],
      async ({ query, limit }) => {
        if (typeof query !== "string" || query.trim() === "")
          return { wrong: '"query" is required: what the tool should do, in a few words.' };
        const hits = await find(source.tools(), query, within(limit, FOUND, FOUND_MOST));
        return JSON.stringify(hits.map(summaryOf));
      },
    ),
    ownTool(
      "mcp_describe_tool",
      "Shows a tool's full description and the schema of its arguments.",
      { name: { ...TEXT, description: "The name from mcp_search_tools" } },
      ["name"],
      async ({ name }) => {
        const tool = byName(String(name));
        return tool === undefined ? { wrong: unknown(String(name), source) } : describe(tool);
      },
    ),
    ownTool(
      "mcp_call_tool",
      "Calls a tool of an MCP server.",
      {
        name: { ...TEXT, description: "The name from mcp_search_tools" },
        arguments: {
          type: "object",
          properties: {},
          description: "The arguments that mcp_describe_tool shows",
        },
      },
      ["name"],
      async (args, options) => {
        const name = String(args["name"]);
        const tool = byName(name);
        if (tool === undefined) return { wrong: unknown(name, source) };
        const given = objectArgument(args, "arguments");
        return "wrong" in given ? given : tool.execute(given.object, options);
      },
    ),
  ];
}

/** Creates ToolLoop's three meta tools with ToolLoop's limits, under names that every model provider accepts. */
export function toToolLoopTools(source: MetaSource): AgentTool[] {
  const serverId = { ...TEXT, description: `One of ${serversIn(source.tools()).join(", ")}` };
  const find = (server: unknown, tool: unknown): AgentTool | undefined =>
    source.tools().find((each) => each.server === server && each.tool === tool);
  const toolName = { ...TEXT, description: "Its name on that server" };
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

/** Limits a number that a model passes to the range from 1 to `most`. */
function within(value: unknown, otherwise: number, most: number): number {
  return typeof value === "number" ? Math.min(most, Math.max(1, Math.floor(value))) : otherwise;
}

function summaryOf({ name, description, inputSchema }: AgentTool): JsonObject {
  const { properties, required } = inputSchema;
  return {
    name,
    description: truncate(description, SUMMARY_CHARS),
    arguments: isJsonObject(properties) ? namesIn(Object.keys(properties)) : [],
    required: namesIn(itemsOf(required)),
  };
}

/** Returns at most 20 names. `mcp_describe_tool` shows the rest. */
function namesIn(names: readonly JsonValue[]): string[] {
  return names.slice(0, 20).map((name) => truncate(String(name), 100));
}

function describe({ name, description, inputSchema, outputSchema, annotations }: AgentTool): string {
  return JSON.stringify({
    name,
    description,
    inputSchema: capped(inputSchema),
    ...(outputSchema && { outputSchema: capped(outputSchema) }),
    ...(annotations && { annotations }),
  });
}

function capped(schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema);
  return text.length <= SCHEMA_CHARS
    ? schema
    : { note: "truncated", jsonPreview: truncate(text, SCHEMA_CHARS) };
}

function unknown(name: string, source: MetaSource): string {
  const close = nearest(
    name.slice(0, 200),
    source.tools().map((tool) => tool.name),
  );
  const sharing = toolsWithPlainName(name, source.tools()).slice(0, 12);
  if (sharing.length > 0)
    return `"${shortLine(name, 100)}" matched more than one tool and is no longer used. Call one of: ${sharing.map((tool) => `${tool.name} ("${shortLine(tool.tool, 100)}" of "${shortLine(tool.server, 100)}")`).join(", ")}.`;
  return `Unknown tool "${shortLine(name, 100)}".${close === undefined ? " Find one with mcp_search_tools." : ` Did you mean "${close}"?`}`;
}

function serversIn(tools: readonly AgentTool[]): string[] {
  return [...new Set(tools.map(({ server }) => server))].map((server) => shortLine(server, 60)).sort();
}

/** Returns one line per server, with as many tool names as fit. */
function catalogLines(tools: readonly AgentTool[]): string {
  const byServer = groupBy(tools, ({ server }) => server);
  const share = Math.max(24, Math.floor(CATALOG_CHARS / Math.max(1, byServer.size)));
  const lines = [...byServer.keys()].sort().map((server) => {
    const mine = byServer.get(server) ?? [];
    const named = mine.slice(0, share).map(({ tool }) => safeLine(tool)); // more would not fit
    return truncate(`${safeLine(server)} (${mine.length}): ${named.join(", ")}`, share);
  });
  return truncate(lines.join("\n"), CATALOG_CHARS);
}

/** Estimates how many tokens a model provider would count. */
export function estimateTokens(tools: readonly AgentTool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
}

/** Returns whether tools cost more than the budget. Stops counting as soon as they do. */
export function costMoreThan(budget: number, tools: readonly AgentTool[]): boolean {
  let sum = 0;
  for (const tool of tools) {
    sum += tokensOf(tool);
    if (sum > budget) return true;
  }
  return false;
}

function tokensOf({ name, description, inputSchema }: AgentTool): number {
  return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / 4);
}
