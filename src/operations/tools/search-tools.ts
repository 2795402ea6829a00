import { createToolFinder, estimateTokens, toMetaTools } from "../../bridge/index.ts";
import { type AgentTool, groupBy } from "../../model/index.ts";
import { mapYielding, nextTurn } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import { listAllTools, listServerTools } from "./list-tools.ts";

/** Tools by what they do, the best first. What may not be used is not found. */
export async function searchTools(
  workspace: Workspace,
  query: string,
  { server, limit = 10 }: { readonly server?: string | undefined; readonly limit?: number | undefined },
): Promise<AgentTool[]> {
  const tools = await (server === undefined
    ? listAllTools(workspace, {})
    : listServerTools(workspace, server, {}));
  const { finders } = workspace;
  const find = finders.get(server) ?? createToolFinder(nextTurn);
  finders.set(server, find);
  return find(tools, query, limit);
}

/** What handing tools to a model costs, in tokens, about. */
export interface ToolBudget {
  /** Every definition. */
  readonly direct: number;
  /** The tools to find and call tools. */
  readonly meta: number;
  /** Where `mode: "auto"` changes from one to the other. */
  readonly budget: number;
  readonly servers: readonly { readonly server: string; readonly tools: number; readonly tokens: number }[];
}

export async function measureTools(
  workspace: Workspace,
  { connect }: { readonly connect: boolean },
): Promise<ToolBudget> {
  const tools = await listAllTools(workspace, { connect });
  const byServer = groupBy(tools, ({ server }) => server);
  const servers = await mapYielding([...byServer.keys()].sort(), async (server) => {
    const mine = byServer.get(server) ?? [];
    return { server, tools: mine.length, tokens: estimateTokens(mine) };
  });
  return {
    direct: servers.reduce((sum, { tokens }) => sum + tokens, 0),
    meta: estimateTokens(toMetaTools({ tools: () => tools }, createToolFinder(nextTurn))),
    budget: workspace.inventory().settings.toolTokens,
    servers,
  };
}
