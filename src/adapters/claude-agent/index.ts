/** Tools for the Claude Agent SDK. Does not import that package. */
export type { AdapterOptions, CallDecision, DecideCall, WantedCall } from "../adapter-options.ts";
export type { ToolSource } from "../tool-source.ts";
export type { PermissionContext, PermissionResult } from "./approvals.ts";
export type { ClaudeAgentOptions, ClaudeAgentServer, ClaudeAgentTools } from "./claude-agent-tools.ts";
export { claudeAgentTools } from "./claude-agent-tools.ts";
