import { costMoreThan, createToolFinder, toMetaTools, toToolLoopTools } from "../bridge/index.ts";
import type { AgentTool } from "../model/index.ts";
import { nextTurn } from "../platform/index.ts";

export type SessionMode = "direct" | "meta" | "auto";

export interface ArrangeOptions {
  /** `meta` hands out tools to find and call tools; `auto` does so when the definitions cost more than the budget. */
  readonly mode: SessionMode;
  readonly style: "search" | "toolloop";
  readonly tokenBudget: number;
  /** Does a bundle say so for this server? */
  isMeta(server: string): boolean;
}

/** What a model is given of the tools there are. The meta tools always see the newest. */
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
