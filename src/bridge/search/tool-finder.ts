import type { AgentTool } from "../../model/index.ts";
import { sameTools } from "../same-tools.ts";
import { SearchIndex } from "./search-index.ts";

/** Finds tools that match a query, best match first. */
export type ToolFinder = (tools: readonly AgentTool[], query: string, most: number) => Promise<AgentTool[]>;

const TOOLS_PER_TURN = 100;

/**
 * Creates a finder. Builds the index at the first search and again when the tools change. Lets other work run while it builds the
 * index.
 */
export function createToolFinder(nextTurn: () => Promise<void>): ToolFinder {
  let known:
    | { readonly tools: readonly AgentTool[]; readonly index: Promise<SearchIndex<AgentTool>> }
    | undefined;
  return async (tools, query, most) => {
    if (known === undefined || !sameTools(known.tools, tools))
      known = { tools, index: indexOf(tools, nextTurn) };
    const { tools: indexed, index } = known;
    const found = (await index).search(query, most).map(({ item }) => item);
    if (indexed === tools) return found;
    const names = new Map(found.map(({ name }, place) => [name, place]));
    const newest = tools.filter(({ name }) => names.has(name));
    return newest.sort((left, right) => (names.get(left.name) ?? 0) - (names.get(right.name) ?? 0));
  };
}

async function indexOf(
  tools: readonly AgentTool[],
  nextTurn: () => Promise<void>,
): Promise<SearchIndex<AgentTool>> {
  const index = new SearchIndex<AgentTool>();
  for (let start = 0; start < tools.length; start += TOOLS_PER_TURN) {
    if (start > 0) await nextTurn();
    index.add(tools.slice(start, start + TOOLS_PER_TURN));
  }
  return index;
}
