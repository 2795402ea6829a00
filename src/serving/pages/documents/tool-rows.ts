import { createToolFinder, type ToolFinder } from "../../../bridge/index.ts";
import type { AgentTool, ToolDefinition } from "../../../model/index.ts";
import { decideTools } from "../../../operations/index.ts";
import { nextTurn } from "../../../platform/index.ts";
import type { ToolDecision } from "../../../policy/index.ts";
import type { ToolHints, ToolRow } from "../api/server-documents.ts";
import type { KnownLists, PageLists } from "../page-lists.ts";

/** A tool, also a denied one, and whether it may be called. */
export interface KnownTool {
  readonly lists: KnownLists;
  readonly definition: ToolDefinition;
  readonly decision: ToolDecision;
}

/** All known tools, and the servers whose tools are not known. */
export interface KnownTools {
  readonly tools: readonly KnownTool[];
  readonly unknown: readonly string[];
}

/** Reads the tools of all servers that may run. Starts no server. */
export async function readKnownTools(pageLists: PageLists): Promise<KnownTools> {
  const { known, unknown } = await pageLists.all();
  const tools = await Promise.all(known.map(toolsIn));
  return { tools: tools.flat(), unknown };
}

/** Decides about all tools of a server. */
export async function toolsIn(lists: KnownLists): Promise<KnownTool[]> {
  const { tools } = lists.catalog;
  const decisions = await decideTools(lists.workspace, lists.server, tools);
  return tools.flatMap((definition, index) => {
    const decision = decisions[index];
    return decision === undefined ? [] : [{ lists, definition, decision }];
  });
}

export function toRow({ lists, definition, decision }: KnownTool): ToolRow {
  const { name, title, description = "", annotations } = definition;
  return {
    server: lists.server.name,
    tool: name,
    title: title ?? annotations?.title ?? name,
    description,
    decision: decision.answer,
    annotations: toHints(definition),
  };
}

function toHints({ annotations = {} }: ToolDefinition): ToolHints {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
    ...(destructiveHint !== undefined && { destructive: destructiveHint }),
    ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
    ...(openWorldHint !== undefined && { openWorld: openWorldHint }),
  };
}

/** The most results of a search. */
const MOST_FOUND = 500;

/** Searches the tools of pages. Denied tools are found, too. */
export class ToolSearch {
  readonly #find: ToolFinder = createToolFinder(nextTurn);

  /** Returns the tools that match, best match first. */
  async search(tools: readonly KnownTool[], query: string): Promise<KnownTool[]> {
    const byTool = new Map(tools.map((known) => [toAgentTool(known), known]));
    const found = await this.#find([...byTool.keys()], [query], { most: MOST_FOUND });
    return found.flatMap((tool) => byTool.get(tool) ?? []);
  }
}

/** Returns a tool in the form that searches and estimates use. */
export function toAgentTool({ lists, definition }: Pick<KnownTool, "lists" | "definition">): AgentTool {
  const { name, title = name, description = "", inputSchema } = definition;
  return {
    name: `${lists.server.name}\0${name}`,
    title,
    description,
    inputSchema,
    server: lists.server.name,
    tool: name,
    approval: "allow",
    stale: false,
    execute: () => Promise.reject(new TypeError("Pages call tools in another way.")),
  };
}
