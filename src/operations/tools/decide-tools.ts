import type { Server, ToolDefinition } from "../../model/index.ts";
import type { ToolDecision } from "../../policy/index.ts";
import type { Workspace } from "../workspace.ts";
import { toolDecider } from "./tool-access.ts";

/** Decides about each tool of a server's list, as listing and calling them do. */
export async function decideTools(
  workspace: Workspace,
  server: Server,
  tools: readonly ToolDefinition[],
): Promise<ToolDecision[]> {
  const standing = await workspace.pins.standing(server, tools);
  return tools.map(toolDecider(workspace, server, standing));
}
