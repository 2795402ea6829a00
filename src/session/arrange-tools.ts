import {
  costMoreThan,
  createToolFinder,
  pairId,
  type SearchMemory,
  toMetaTools,
  toToolLoopTools,
} from "../bridge/index.ts";
import type { AgentTool } from "../model/index.ts";
import { nextTurn } from "../platform/index.ts";

/**
 * How a session passes tools to the model. `"direct"` passes all definitions. `"meta"` passes only tools that search for and call
 * other tools. `"auto"` uses `"meta"` if the definitions cost more than the `toolTokens` setting, and then also passes the definitions of
 * a few tools that are often used.
 */
export type SessionMode = "direct" | "meta" | "auto";

/** How to arrange tools for a model. */
export interface ArrangeOptions {
  readonly mode: SessionMode;
  readonly style: "search" | "toolloop";
  readonly tokenBudget: number;
  /** Returns whether a bundle has `mode: "meta"` for this server. */
  isMeta(server: string): boolean;
  /** What was learned from calls after earlier searches. */
  readonly memory: SearchMemory;
  readonly slots: ToolSlots;
}

/** The tools that sessions in mode `auto` pass directly, besides the search tools. */
export interface ToolSlots {
  readonly most: number;
  /** Returns the tools to pass directly, at most `most`. */
  choose(tools: readonly AgentTool[]): readonly AgentTool[];
  /** Called with the `pairId`s of the tools that the session passes directly. */
  onChosen(ids: ReadonlySet<string>): void;
}

/** Returns a function that selects the tools for the model. The meta tools always use the latest tools. */
export function createArranger({ mode, style, tokenBudget, isMeta, memory, slots }: ArrangeOptions) {
  let behind: readonly AgentTool[] = [];
  const source = { tools: () => behind };
  const find = createToolFinder(nextTurn, memory);
  /** Only grows, because model providers cache the definitions at the beginning of a conversation. */
  const chosen = new Set<string>();
  const inSlots = (tools: readonly AgentTool[]): AgentTool[] => {
    for (const tool of slots.choose(tools)) if (chosen.size < slots.most) chosen.add(pairId(tool));
    slots.onChosen(chosen);
    return chosen.size === 0 ? [] : tools.filter((tool) => chosen.has(pairId(tool)));
  };
  return (tools: readonly AgentTool[]): AgentTool[] => {
    const all = mode === "meta" || (mode === "auto" && costMoreThan(tokenBudget, tools));
    behind = all ? tools : tools.filter(({ server }) => isMeta(server));
    const direct = all
      ? mode === "auto"
        ? inSlots(tools)
        : []
      : tools.filter(({ server }) => !isMeta(server));
    if (behind.length === 0) return [...direct];
    const meta = style === "toolloop" ? toToolLoopTools(source) : toMetaTools(source, find);
    return [...meta, ...direct];
  };
}
