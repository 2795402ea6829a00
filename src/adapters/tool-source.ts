import type { AgentTool, Session, SessionToolsOptions } from "../index.ts";

/** The source of an adapter's tools: a session, whose changes it follows, or a fixed list. */
export type ToolSource = Pick<Session, "tools" | "snapshot" | "subscribe"> | readonly AgentTool[];

/** Reads the current tools. A session connects to servers whose tools are not cached, and waits for them for a limited time. */
export async function readTools(
  source: ToolSource,
  { waitMs, signal }: SessionToolsOptions = {},
): Promise<readonly AgentTool[]> {
  return isList(source) ? source : source.tools({ waitMs, signal });
}

/** Returns the tools as last read. Contacts no server. */
export function lastTools(source: ToolSource): readonly AgentTool[] {
  return isList(source) ? source : source.snapshot().tools;
}

export function isList(source: ToolSource): source is readonly AgentTool[] {
  return Array.isArray(source);
}
