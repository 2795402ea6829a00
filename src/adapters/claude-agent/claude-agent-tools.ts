import type { AdapterOptions } from "../adapter-options.ts";
import { bindTools } from "../bound-tools.ts";
import type { ToolSource } from "../tool-source.ts";
import { createApprovals, type PermissionContext, type PermissionResult } from "./approvals.ts";
import { type ConnectedServer, createToolServer } from "./tool-server.ts";

/** Options for `claudeAgentTools`. */
export interface ClaudeAgentOptions extends AdapterOptions {
  /** The server's name in the SDK, which is part of every tool's name. Default: `"plugboard"`. */
  readonly name?: string;
}

/** An MCP server inside the program, for the SDK's `mcpServers`. */
export interface ClaudeAgentServer {
  /** The type of the entry. */
  type: "sdk";
  /** The server's name. */
  name: string;
  /** The server. The SDK only calls `connect` and `close`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's type is a class of another package
  instance: any;
}

/** Tools for the Claude Agent SDK. */
export interface ClaudeAgentTools {
  /** The servers for the SDK's `mcpServers`. The tools follow the session. */
  readonly mcpServers: Record<string, ClaudeAgentServer>;
  /**
   * Returns a function for the SDK's `canUseTool`. It allows the calls that the host's rules allow and passes the others to `ask`.
   * Without `ask`, the host's `onCall` is asked.
   */
  canUseTool<Context extends PermissionContext, Result extends PermissionResult | null>(
    ask?: (tool: string, input: Record<string, unknown>, context: Context) => Promise<Result>,
  ): (tool: string, input: Record<string, unknown>, context: Context) => Promise<Result | PermissionResult>;
}

/** Converts the tools of a session or a list for the Claude Agent SDK. */
export function claudeAgentTools(source: ToolSource, options: ClaudeAgentOptions = {}): ClaudeAgentTools {
  const { name = "plugboard" } = options;
  const bound = bindTools(source, "anthropic", options);
  const approvals = createApprovals(bound, name, options.decide);
  const instance: ConnectedServer = createToolServer({ source, bound, approvals, name, options });
  return {
    mcpServers: { [name]: { type: "sdk", name, instance } },
    canUseTool: (ask) => (tool, input, context) => approvals.decide(tool, input, context, ask),
  };
}
