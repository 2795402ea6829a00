import { createToolFinder, estimateMetaTokens, estimateTokens, pairId } from "../../bridge/index.ts";
import { type AgentTool, groupBy, type WaitOptions } from "../../model/index.ts";
import { mapYielding, nextTurn } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import { listAllTools, listServerTools } from "./list-tools.ts";
import { toolsToSearch } from "./searched-tools.ts";
import { chooseSlots } from "./tool-usage.ts";

/** Options for `host.search`. */
export interface SearchOptions extends WaitOptions {
  /** Search only this server. Default: all. */
  readonly server?: string | undefined;
  /** The most tools to return. Default: 10. */
  readonly limit?: number | undefined;
  /** How long to wait for servers without a list, as for `host.tools`. */
  readonly waitMs?: number | undefined;
}

/** Finds tools by what they do, best match first. Omits tools that may not be used. */
export async function searchTools(
  workspace: Workspace,
  query: string,
  { server, limit = 10, waitMs }: SearchOptions,
): Promise<AgentTool[]> {
  const tools = await (server === undefined
    ? toolsToSearch(workspace, waitMs)
    : listServerTools(workspace, server, { waitMs }));
  const { finders, usage } = workspace.tools;
  await usage.load();
  const find = finders.get(server) ?? createToolFinder(nextTurn, usage.memoryOf(usage));
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
  /** What mode `"auto"` passes directly besides the search tools. */
  readonly slots: SlotBudget;
}

/** The tools that are worth passing directly, because they are used often and their definitions are short. */
export interface SlotBudget {
  readonly tools: readonly { readonly server: string; readonly tool: string; readonly tokens: number }[];
  /** The cost of their definitions. */
  readonly tokens: number;
  /** The share of recent calls that went to these tools, in all modes. `undefined` without calls. */
  readonly share: number | undefined;
  /** The share of recent calls in such sessions that went to tools passed directly. `undefined` without such calls. */
  readonly hitRate: number | undefined;
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
    slots: await measureSlots(workspace, tools),
  };
}

async function measureSlots(
  { inventory, tools: { usage } }: Workspace,
  all: readonly AgentTool[],
): Promise<SlotBudget> {
  await usage.load();
  const counts = usage.counts();
  const chosen = chooseSlots(all, counts, inventory().settings.toolSlots);
  const tools = chosen.map((each) => ({
    server: each.server,
    tool: each.tool,
    tokens: estimateTokens([each]),
  }));
  const sum = (numbers: Iterable<number>): number =>
    Array.from(numbers).reduce((one, other) => one + other, 0);
  const calls = sum(counts?.uses.values() ?? []);
  const mine = sum(chosen.map((tool) => counts?.uses.get(pairId(tool)) ?? 0));
  const { calls: offeredCalls = 0, hits = 0 } = counts?.offered ?? {};
  return {
    tools,
    tokens: sum(tools.map(({ tokens }) => tokens)),
    share: calls === 0 ? undefined : mine / calls,
    hitRate: offeredCalls === 0 ? undefined : hits / offeredCalls,
  };
}
