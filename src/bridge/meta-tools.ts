import { type AgentTool, nearest, shortLine } from "../model/index.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { capped, type MetaSource } from "./meta-source.ts";
import { objectArgument, ownTool, TEXT } from "./own-tool.ts";
import type { ToolFinder } from "./search/tool-finder.ts";
import { toSearchTool } from "./search-tool.ts";
import { extraNameTokens } from "./server-catalog.ts";
import { toolsWithPlainName } from "./tool-name.ts";

/** Creates tools that search for, describe and call other tools: three definitions instead of thousands. */
export function toMetaTools(source: MetaSource, find: ToolFinder): AgentTool[] {
  const byName = (name: string): AgentTool | undefined => source.tools().find((tool) => tool.name === name);
  return [
    toSearchTool(source, find),
    ownTool(
      "mcp_describe_tool",
      "Shows a tool's full description and the schema of its arguments.",
      { name: TEXT },
      ["name"],
      async ({ name }) => {
        const tool = byName(String(name));
        return tool === undefined ? { wrong: unknown(String(name), source) } : describe(tool);
      },
    ),
    ownTool(
      "mcp_call_tool",
      "Calls a tool that mcp_search_tools found.",
      { name: TEXT, arguments: { type: "object", properties: {} } },
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

/** Estimates how many tokens the meta tools for these tools cost. */
export function estimateMetaTokens(tools: readonly AgentTool[]): number {
  const servers = new Set(tools.map(({ server }) => server));
  const meta = toMetaTools({ tools: () => tools }, async () => []);
  return estimateTokens(meta) + extraNameTokens([...servers].join(" "));
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
