import type { AgentTool } from "../model/index.ts";
import { sameTools } from "./same-tools.ts";
import { SearchIndex } from "./search-index.ts";

/** Finds among tools, the best first. */
export type ToolFinder = (tools: readonly AgentTool[], query: string, most: number) => AgentTool[];

/** Words are indexed when they are first looked for, and again when the tools are others. */
export function createToolFinder(): ToolFinder {
  let known: { readonly tools: readonly AgentTool[]; readonly index: SearchIndex<AgentTool> } | undefined;
  return (tools, query, most) => {
    if (known === undefined || !sameTools(known.tools, tools))
      known = { tools, index: new SearchIndex(tools) };
    const found = known.index.search(query, most).map(({ item }) => item);
    if (known.tools === tools) return found;
    const names = new Map(found.map(({ name }, place) => [name, place]));
    const newest = tools.filter(({ name }) => names.has(name));
    return newest.sort((left, right) => (names.get(left.name) ?? 0) - (names.get(right.name) ?? 0));
  };
}
