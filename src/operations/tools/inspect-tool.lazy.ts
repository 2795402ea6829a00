import { estimateTokens } from "../../bridge/index.ts";
import type { ToolDefinition, WaitOptions } from "../../model/index.ts";
import { lintTool } from "../../policy/index.ts";
import { withoutOwnNames } from "../approvals/tool-pins.ts";
import { onServer } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";
import { findTool } from "./call-tool.ts";
import { listServerTools } from "./list-tools.ts";
import { otherToolNames } from "./other-tool-names.ts";
import { decideTool } from "./tool-access.ts";

/** A tool's definition, and what Plugboard decides and finds about it. */
export interface ToolInspection {
  /** The server's name. */
  readonly server: string;
  /** The tool as the server defines it. */
  readonly definition: ToolDefinition;
  /** Whether a call is allowed, requires approval, or is denied. */
  readonly answer: "allow" | "ask" | "deny";
  /** The rule that decided this. */
  readonly rule: string;
  /** An estimate of what the definition costs a model. 0 if the tool is denied, because no model receives it. */
  readonly tokens: number;
  /** Signs that the definition gives the model instructions. Empty if there are none. */
  readonly findings: readonly string[];
}

/** Inspects one tool, even a denied one. Connects if no list is cached. */
export function inspectTool(
  workspace: Workspace,
  name: string,
  toolName: string,
  { signal }: WaitOptions = {},
): Promise<ToolInspection> {
  return onServer(workspace, { server: name, signal }, async ({ use }) => {
    const server = await use();
    const { tool: definition, tools } = await findTool(workspace, server, toolName);
    const pinEffects = await workspace.pins.standing(server, tools);
    const { answer, rule } = decideTool(workspace, server, definition, pinEffects);
    const offered = answer === "deny" ? [] : await listServerTools(workspace, name, {});
    const others = withoutOwnNames(await otherToolNames(workspace, server), tools);
    return {
      server: name,
      definition,
      answer,
      rule,
      tokens: estimateTokens(offered.filter(({ tool }) => tool === toolName)),
      findings: lintTool(definition, others).map(({ what }) => what),
    };
  });
}
