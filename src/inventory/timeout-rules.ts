/** What the `timeout` of an entry means to the tool that owns its file. */
export interface TimeoutRules {
  readonly timeoutBounds: "calls" | "connecting and calls";
  readonly because: string;
  /** What the tool calls the limit for a call. */
  readonly callKey: string;
  /** What it calls the limit for connecting, if its entries have one. */
  readonly startupKey?: string;
  /** Variables that it reads for entries without a limit of their own, in milliseconds. */
  readonly variables?: { readonly call: string; readonly startup: string };
  /** Where the limit is, if it is one for all servers. */
  readonly place?: string;
}

const NATIVE: TimeoutRules = {
  timeoutBounds: "connecting and calls",
  because: "the seeds use one limit for both",
  callKey: "timeout",
  startupKey: "startupTimeout",
};
const OPENCODE: TimeoutRules = {
  timeoutBounds: "connecting and calls",
  because: "opencode uses one value to connect, to list and to call",
  callKey: "timeout",
  startupKey: "timeout",
};
const OPENCODE_GLOBAL: TimeoutRules = {
  timeoutBounds: "calls",
  because: "opencode falls back to it for requests, but connects within the entry's own limit",
  callKey: "experimental.mcp_timeout",
  startupKey: "timeout",
  place: "opencode's settings",
};
const ZED: TimeoutRules = {
  timeoutBounds: "connecting and calls",
  because: "Zed bounds every request with it, the first one included",
  callKey: "timeout",
  startupKey: "timeout",
};
const CALLS: TimeoutRules = {
  timeoutBounds: "calls",
  because: "nothing says that it bounds connecting",
  callKey: "timeout",
};

/** By provider, or by what a provider calls entries of another kind. All others are like `CALLS`. */
export const TIMEOUT_RULES: Readonly<Record<string, TimeoutRules>> = {
  program: NATIVE,
  plugboard: NATIVE,
  omp: NATIVE,
  xcsh: NATIVE,
  pisces: NATIVE,
  "mcp-json": NATIVE,
  "claude-code": {
    ...CALLS,
    because: "Claude Code bounds tool calls with it, and connecting with MCP_TIMEOUT",
    variables: { call: "MCP_TOOL_TIMEOUT", startup: "MCP_TIMEOUT" },
  },
  codex: {
    ...CALLS,
    because: "Codex has startup_timeout_sec for connecting",
    callKey: "tool_timeout_sec",
    startupKey: "startup_timeout_sec",
  },
  gemini: {
    timeoutBounds: "connecting and calls",
    because: "Gemini CLI connects and calls within it",
    callKey: "timeout",
    startupKey: "timeout",
  },
  "qwen-code": {
    ...CALLS,
    because: "Qwen Code has discoveryTimeoutMs for connecting",
    startupKey: "discoveryTimeoutMs",
  },
  opencode: OPENCODE,
  "opencode global": OPENCODE_GLOBAL,
  "opencode-toml": OPENCODE,
  "kilo-code": { ...OPENCODE, because: "Kilo Code is a fork of opencode" },
  "kilo-code older": { ...CALLS, because: "Kilo Code's older files are those of Roo Code" },
  zed: ZED,
  "zed global": { ...ZED, callKey: "context_server_timeout", place: "Zed's settings" },
  crush: {
    timeoutBounds: "connecting and calls",
    because: "Crush connects within it",
    callKey: "timeout",
    startupKey: "timeout",
  },
  cline: { ...CALLS, because: "Cline bounds tool calls with it and connects without a limit" },
  "roo-code": { ...CALLS, because: "Roo Code bounds tool calls with it and connects without a limit" },
  goose: { ...CALLS, because: "goose bounds requests with it and connects without a limit" },
  "amazon-q": { ...CALLS, because: "Amazon Q bounds connecting with its setting mcp.initTimeout" },
  kiro: { ...CALLS, because: "Kiro bounds connecting with its setting mcp.initTimeout" },
  "copilot-cli": CALLS,
  factory: { ...CALLS, callKey: "timeoutMs" },
  librechat: { ...CALLS, because: "LibreChat has initTimeout for connecting", startupKey: "initTimeout" },
  "mistral-vibe": {
    ...CALLS,
    because: "Mistral Vibe has startup_timeout_sec for connecting",
    callKey: "tool_timeout_sec",
    startupKey: "startup_timeout_sec",
  },
  continue: {
    ...CALLS,
    because: "Continue has connectionTimeout for connecting, and no other limit",
    startupKey: "connectionTimeout",
  },
};

export function timeoutRulesFor(kind: string): TimeoutRules {
  return (Object.hasOwn(TIMEOUT_RULES, kind) ? TIMEOUT_RULES[kind] : undefined) ?? CALLS;
}
