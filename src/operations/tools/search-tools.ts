import { createToolFinder, estimateMetaTokens, estimateTokens } from "../../bridge/index.ts";
import { type AgentTool, groupBy, type WaitOptions } from "../../model/index.ts";
import { mapYielding, nextTurn } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import { listAllTools, listServerTools } from "./list-tools.ts";
import { toolsToSearch } from "./searched-tools.ts";

/** Options for `host.search`. */
export interface SearchOptions extends WaitOptions {
  /** Search only this server. Default: all. */
  readonly server?: string | undefined;
  /** The most tools to return. Default: 10. */
  readonly limit?: number | undefined;
  /** How long to wait for servers without a list, as for `host.tools`. */
  readonly waitMs?: number | undefined;
}

/** Finds tools by what they do, best match first. Leaves out tools that may not be used. */
export async function searchTools(
  workspace: Workspace,
  query: string,
  { server, limit = 10, waitMs }: SearchOptions,
): Promise<AgentTool[]> {
  const tools = await (server === undefined
    ? toolsToSearch(workspace, waitMs)
    : listServerTools(workspace, server, { waitMs }));
  const { finders } = workspace.tools;
  const find = finders.get(server) ?? createToolFinder(nextTurn);
  finders.set(server, find);
  return find(tools, [query], { most: limit });
}

/** Estimates of what tool definitions cost a model, in tokens. */
export interface ToolBudget {
  /** The cost of passing all tool definitions to the model. */
  readonly direct: number;
  /** The cost of passing only the tools that search for and call other tools. */
  readonly meta: number;
  /** With `mode: "auto"`, a session passes all definitions up to this cost, and only the search tools above it. */
  readonly budget: number;
  /** The number of tools and their cost, by server. */
  readonly servers: readonly { readonly server: string; readonly tools: number; readonly tokens: number }[];
}

export async function measureTools(
  workspace: Workspace,
  { connect }: { readonly connect: boolean },
): Promise<ToolBudget> {
  const tools = await listAllTools(workspace, { connect, waitMs: Number.POSITIVE_INFINITY });
  const byServer = groupBy(tools, ({ server }) => server);
  const servers = await mapYielding([...byServer.keys()].sort(), async (server) => {
    const mine = byServer.get(server) ?? [];
    return { server, tools: mine.length, tokens: estimateTokens(mine) };
  });
  return {
    direct: servers.reduce((sum, { tokens }) => sum + tokens, 0),
    meta: estimateMetaTokens(tools),
    budget: workspace.inventory().settings.toolTokens,
    servers,
  };
}
