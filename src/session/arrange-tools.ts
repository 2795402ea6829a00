import { costMoreThan, createToolFinder, toMetaTools, toToolLoopTools } from "../bridge/index.ts";
import type { AgentTool } from "../model/index.ts";
import { nextTurn } from "../platform/index.ts";

/**
 * How a session passes tools to the model. `"direct"` passes all definitions. `"meta"` passes only tools that search for and call
 * other tools. `"auto"` uses `"meta"` if the definitions cost more than the `toolTokens` setting.
 */
export type SessionMode = "direct" | "meta" | "auto";

/** How to arrange tools for a model. */
export interface ArrangeOptions {
  readonly mode: SessionMode;
  readonly style: "search" | "toolloop";
  readonly tokenBudget: number;
  /** Returns whether a bundle has `mode: "meta"` for this server. */
  isMeta(server: string): boolean;
}

/** Returns a function that selects the tools for the model. The meta tools always use the latest tools. */
export function createArranger({ mode, style, tokenBudget, isMeta }: ArrangeOptions) {
  let behind: readonly AgentTool[] = [];
  const source = { tools: () => behind };
  const find = createToolFinder(nextTurn);
  return (tools: readonly AgentTool[]): AgentTool[] => {
    const all = mode === "meta" || (mode === "auto" && costMoreThan(tokenBudget, tools));
    behind = all ? tools : tools.filter(({ server }) => isMeta(server));
    const direct = all ? [] : tools.filter(({ server }) => !isMeta(server));
    if (behind.length === 0) return [...direct];
    const meta = style === "toolloop" ? toToolLoopTools(source) : toMetaTools(source, find);
    return [...meta, ...direct];
  };
}
