import { inSection, type SeedRow } from "./seed-row.ts";

/** Introduction, goals, and where the configuration comes from. */
export const toolloopConfigRows: readonly SeedRow[] = [
  ...inSection("SPEC 010: MCP platform", [
    {
      id: "toolloop-1.01",
      kind: "rule",
      milestone: 2,
      promise: "The configuration is validated and comes from a file, the environment and runtime overrides.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "validates overrides, a file and the inline variable in the same way: %s",
      },
    },
    {
      id: "toolloop-1.02",
      kind: "rule",
      milestone: 3,
      promise: "Client lifecycles are looked after: lazy connect, caching, deterministic cleanup.",
      shownBy: {
        file: "test/flow/restarts.test.ts",
        test: "stops an unused server; its tools stay known and its next use starts it",
      },
    },
    {
      id: "toolloop-1.03",
      kind: "rule",
      milestone: 3,
      promise: "STDIO servers are supported.",
      deviation: "The seed calls it experimental and not production-ready; here the fault suite proves it.",
      shownBy: {
        file: "test/flow/stdio-lines.test.ts",
        test: "a server that floods standard error is still read, and is not blocked",
      },
    },
    {
      id: "toolloop-1.04",
      kind: "rule",
      milestone: 3,
      promise: "Streamable HTTP servers are supported, ready for production.",
      shownBy: { file: "test/flow/http-fallback.test.ts", test: "a Streamable HTTP server is reached as %s" },
    },
    {
      id: "toolloop-1.05",
      kind: "rule",
      milestone: 3,
      promise: "SSE servers are supported, ready for production, for legacy servers.",
      shownBy: { file: "test/flow/http-fallback.test.ts", test: "an SSE server is reached as %s" },
    },
    {
      id: "toolloop-1.06",
      kind: "rule",
      milestone: 1,
      promise: "The platform connects to servers implemented by others and needs none of its own.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the everything server lists its tools and adds two numbers",
      },
    },
  ]),
  ...inSection("Goals", [
    {
      id: "toolloop-2.01",
      kind: "rule",
      milestone: 2,
      promise: "There is one strict boundary that validates servers and tool bundles.",
      deviation:
        "Strict in `parseMcpConfig` and `loadMcpConfig`; discovery keeps every good entry of a bad file.",
      shownBy: {
        file: "src/config/toolloop-config.test.ts",
        test: "that is invalid gives one error with every invalid path",
      },
    },
    {
      id: "toolloop-2.02",
      kind: "rule",
      milestone: 3,
      promise: "Connecting is lazy.",
      shownBy: { file: "test/flow/restarts.test.ts", test: "starts a server with the host, and no other" },
    },
    {
      id: "toolloop-2.03",
      kind: "rule",
      milestone: 3,
      promise: "The tool catalog is cached with a time to live.",
      shownBy: {
        file: "test/flow/cached-tools.test.ts",
        test: "are marked as stale when they expire, still returned, and read again at the next connection",
      },
    },
    {
      id: "toolloop-2.04",
      kind: "name",
      milestone: 3,
      promise: "`closeAll` cleans up deterministically.",
      deviation: "No process is left on any path, not even when the host is killed.",
      shownBy: {
        file: "test/faults/cycles.test.ts",
        test: "no process is left running, however a host ends and whatever its servers started",
      },
    },
    {
      id: "toolloop-2.05",
      kind: "rule",
      milestone: 1,
      promise: "The STDIO transport works.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "toolloop-2.06",
      kind: "rule",
      milestone: 1,
      promise: "The Streamable HTTP transport works.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "toolloop-2.07",
      kind: "rule",
      milestone: 3,
      promise: "The SSE transport works for compatibility.",
      shownBy: { file: "test/flow/http-fallback.test.ts", test: "an SSE server is reached as %s" },
    },
  ]),
  ...inSection("References", [
    {
      id: "toolloop-3.01",
      kind: "number",
      milestone: 3,
      promise: "Lifecycle, transports and tools follow the MCP specification 2025-11-25.",
      deviation: "Every revision from 2024-11-05 to 2026-07-28 is spoken.",
      shownBy: {
        file: "test/surfaces/cli-published-servers.test.ts",
        test: "works over %s",
      },
    },
    {
      id: "toolloop-3.02",
      kind: "number",
      milestone: 4,
      promise: "Authorization follows the MCP specification 2025-11-25.",
      deviation: "And 2026-07-28.",
      shownBy: {
        file: "test/auth/conformance.test.ts",
        test: "signing in passes the official conformance suite in both revisions",
      },
    },
  ]),
  ...inSection("Supported sources and precedence", [
    {
      id: "toolloop-4.01",
      kind: "rule",
      milestone: 2,
      promise: "Overrides given as `loadMcpConfig({ overrides })` win over every other source.",
      deviation: "Layers merge per id: a whole entry replaces a whole entry.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "prefers overrides, then the inline variable, then the named, the variable's and the discovered file",
      },
    },
    {
      id: "toolloop-4.02",
      kind: "rule",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_JSON` wins over a file.",
      deviation: "`PLUGBOARD_MCP_CONFIG_JSON` wins over it, with a warning.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "prefers overrides, then the inline variable, then the named, the variable's and the discovered file",
      },
    },
    {
      id: "toolloop-4.03",
      kind: "rule",
      milestone: 2,
      promise:
        'An explicit path, as in `loadMcpConfig({ path: "./custom.json" })`, wins over the path variable.',
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "prefers overrides, then the inline variable, then the named, the variable's and the discovered file",
      },
    },
    {
      id: "toolloop-4.04",
      kind: "rule",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_PATH` wins over a discovered file.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "prefers overrides, then the inline variable, then the named, the variable's and the discovered file",
      },
    },
    {
      id: "toolloop-4.05",
      kind: "rule",
      milestone: 2,
      promise: "Without a path a discovered file is used.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "prefers overrides, then the inline variable, then the named, the variable's and the discovered file",
      },
    },
  ]),
  ...inSection("Environment variables", [
    {
      id: "toolloop-4.06",
      kind: "name",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_PATH` holds the path of a JSON file.",
      deviation: "`PLUGBOARD_MCP_CONFIG_PATH` does the same; a named file that is missing is an error.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "prefers overrides, then the inline variable, then the named, the variable's and the discovered file",
      },
    },
    {
      id: "toolloop-4.07",
      kind: "name",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_JSON` holds a JSON string with a partial or a full config.",
      deviation:
        "Bundle references are checked after the layers are merged, so that a partial config is valid.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "accepts a partial config from the variable, whose bundle may refer to a server in the file",
      },
    },
  ]),
  ...inSection("File discovery", [
    {
      id: "toolloop-4.08",
      kind: "rule",
      milestone: 2,
      promise: "Discovery walks upward from `cwd` and takes the first file that exists.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "searches the parent folders and prefers the plain name over the hidden folder",
      },
    },
    {
      id: "toolloop-4.09",
      kind: "name",
      milestone: 2,
      promise: "In each folder `codex-toolloop.mcp.json` is looked for first.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "searches the parent folders and prefers the plain name over the hidden folder",
      },
    },
    {
      id: "toolloop-4.10",
      kind: "name",
      milestone: 2,
      promise: "In each folder `.codex-toolloop/mcp.json` is looked for second.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "searches the parent folders and prefers the plain name over the hidden folder",
      },
    },
  ]),
  ...inSection("File format", [
    {
      id: "toolloop-4.11",
      kind: "rule",
      milestone: 2,
      promise: "The file is JSON.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "accepts only JSON in a file and the inline variable: %s",
      },
    },
    {
      id: "toolloop-4.12",
      kind: "rule",
      milestone: 2,
      promise: "File and inline variable have the same schema.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "validates overrides, a file and the inline variable in the same way: %s",
      },
    },
  ]),
];
