import type { AgentTool, Session } from "../index.ts";

/** Where an adapter takes its tools from: a session, whose changes it follows, or a list. */
export type ToolSource = Session | readonly AgentTool[];

/** The tools as they are now; a session connects where nothing is known of a server yet. */
export async function readTools(source: ToolSource): Promise<readonly AgentTool[]> {
  return isList(source) ? source : source.tools();
}

/** The tools as last read, without touching any server. */
export function heldTools(source: ToolSource): readonly AgentTool[] {
  return isList(source) ? source : source.snapshot().tools;
}

function isList(source: ToolSource): source is readonly AgentTool[] {
  return Array.isArray(source);
}
