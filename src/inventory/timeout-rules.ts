/** What the `timeout` of an entry means to the tool that owns the file. */
export interface TimeoutRules {
  readonly timeoutBounds: "calls" | "connecting and calls";
  readonly because: string;
  /** The tool's name for the call timeout. */
  readonly callKey: string;
  /** The tool's name for the connection timeout, if its entries have one. */
  readonly startupKey?: string;
  /** Variables with the timeouts for entries that set none, in milliseconds. */
  readonly variables?: { readonly call: string; readonly startup: string };
  /** Where the timeout is set, if it applies to all servers. */
  readonly place?: string;
}

const NATIVE: TimeoutRules = {
  timeoutBounds: "connecting and calls",
  because: "the seeds use one timeout for both",
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
  because: "opencode uses it as the default for requests, but connects within the entry's own timeout",
  callKey: "experimental.mcp_timeout",
  startupKey: "timeout",
  place: "opencode's settings",
};
const ZED: TimeoutRules = {
  timeoutBounds: "connecting and calls",
  because: "Zed applies it to every request, including the first",
  callKey: "timeout",
  startupKey: "timeout",
};
const CALLS: TimeoutRules = {
  timeoutBounds: "calls",
  because: "it is not documented to limit connecting",
  callKey: "timeout",
};

/** Rules by provider, or by the name a provider gives to another kind of entry. All others use `CALLS`. */
export const TIMEOUT_RULES: Readonly<Record<string, TimeoutRules>> = {
  program: NATIVE,
  plugboard: NATIVE,
  omp: NATIVE,
  xcsh: NATIVE,
  pisces: NATIVE,
  "mcp-json": NATIVE,
  "claude-code": {
    ...CALLS,
    because: "Claude Code applies it to tool calls, and MCP_TIMEOUT to connecting",
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
  "kilo-code older": { ...CALLS, because: "Kilo Code's older files have the format of Roo Code" },
  zed: ZED,
  "zed global": { ...ZED, callKey: "context_server_timeout", place: "Zed's settings" },
  crush: {
    timeoutBounds: "connecting and calls",
    because: "Crush connects within it",
    callKey: "timeout",
    startupKey: "timeout",
  },
  cline: { ...CALLS, because: "Cline applies it to tool calls and connects without a timeout" },
  "roo-code": { ...CALLS, because: "Roo Code applies it to tool calls and connects without a timeout" },
  goose: { ...CALLS, because: "goose applies it to requests and connects without a timeout" },
  "amazon-q": { ...CALLS, because: "Amazon Q limits connecting with its setting mcp.initTimeout" },
  kiro: { ...CALLS, because: "Kiro limits connecting with its setting mcp.initTimeout" },
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
    because: "Continue has connectionTimeout for connecting, and no other timeout",
    startupKey: "connectionTimeout",
  },
};

export function timeoutRulesFor(kind: string): TimeoutRules {
  return (Object.hasOwn(TIMEOUT_RULES, kind) ? TIMEOUT_RULES[kind] : undefined) ?? CALLS;
}
