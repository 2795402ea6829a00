import { type AgentTool, messageOf } from "../index.ts";
import type { AdapterOptions } from "./adapter-options.ts";
import type { BoundTools, ConvertedTool } from "./bound-tools.ts";

/** Finds tools for a query: `(query) => host.search(query)`. */
export type SearchTools = (query: string) => Promise<readonly Pick<AgentTool, "server" | "tool">[]>;

/** Options of adapters for providers that have their own tool search. */
export interface ToolSearchOptions extends AdapterOptions {
  /**
   * `true`, or a function that returns `true`, hides tools from the model until a search finds them. Also sets `keepDefinitions`, unless
   * it is `false`, because conversations refer to tools that were found. Default: `false`.
   */
  readonly deferLoading?: boolean | ((tool: AgentTool) => boolean);
  /** Searches the hidden tools: `(query) => host.search(query)`. Default: the provider's own search. */
  readonly search?: SearchTools;
}

/** Returns whether the definitions stay in place, which is the default for tools that a search finds. */
export function keepsDefinitions({ deferLoading = false, keepDefinitions }: ToolSearchOptions): boolean {
  return keepDefinitions ?? deferLoading !== false;
}

/** The description of the search tool, for the model. */
export const SEARCH_DESCRIPTION =
  "Finds tools by what they do. Search before you conclude that a tool is missing.";
export const SEARCH_SCHEMA = {
  type: "object",
  properties: { query: { type: "string", description: "What the tool should do" } },
  required: ["query"],
  additionalProperties: false,
} as const;

/** The provider's tool search over an adapter's tools. */
export interface ToolSearch {
  /** Whether there are tools that a search must find. */
  readonly isEnabled: boolean;
  isDeferred(tool: AgentTool): boolean;
  /** Returns the hidden tools for a model's query, or the error to show to the model. */
  find(args: unknown): Promise<readonly ConvertedTool[] | string>;
}

export function createToolSearch(
  bound: BoundTools,
  { deferLoading = false, search }: ToolSearchOptions,
): ToolSearch {
  const isDeferred = (tool: AgentTool): boolean =>
    typeof deferLoading === "function" ? deferLoading(tool) : deferLoading;
  return {
    isEnabled: deferLoading !== false,
    isDeferred,
    async find(args) {
      const query = queryIn(args);
      if (query === undefined) return 'MCP error: "query" is required.';
      try {
        const found = (await search?.(query)) ?? [];
        const tools = await bound.read();
        return found.flatMap(({ server, tool }) => {
          const newest = tools.findLast((each) => each.tool.server === server && each.tool.tool === tool);
          return newest !== undefined && isDeferred(newest.tool) ? [newest] : [];
        });
      } catch (error) {
        return `MCP error: The search failed: ${messageOf(error)}.`;
      }
    },
  };
}

/** Reads the query from the arguments, which may be JSON text. */
function queryIn(args: unknown): string | undefined {
  let value = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args) as unknown;
    } catch {
      return undefined;
    }
  }
  if (typeof value !== "object" || value === null || !("query" in value)) return undefined;
  return typeof value.query === "string" && value.query.trim() !== "" ? value.query : undefined;
}
