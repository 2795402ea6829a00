import { inSection, type SeedRow } from "./seed-row.ts";

/** Introduction, goals, and where the configuration comes from. */
export const toolloopConfigRows: readonly SeedRow[] = [
  ...inSection("SPEC 010: MCP platform", [
    {
      id: "toolloop-1.01",
      kind: "rule",
      milestone: 2,
      promise: "The configuration is validated and comes from a file, the environment and runtime overrides.",
    },
    {
      id: "toolloop-1.02",
      kind: "rule",
      milestone: 3,
      promise: "Client lifecycles are looked after: lazy connect, caching, deterministic cleanup.",
    },
    {
      id: "toolloop-1.03",
      kind: "rule",
      milestone: 3,
      promise: "STDIO servers are supported.",
      deviation: "The seed calls it experimental and not production-ready; here the fault suite proves it.",
    },
    {
      id: "toolloop-1.04",
      kind: "rule",
      milestone: 3,
      promise: "Streamable HTTP servers are supported, ready for production.",
    },
    {
      id: "toolloop-1.05",
      kind: "rule",
      milestone: 3,
      promise: "SSE servers are supported, ready for production, for legacy servers.",
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
    },
    {
      id: "toolloop-2.02",
      kind: "rule",
      milestone: 3,
      promise: "Connecting is lazy.",
    },
    {
      id: "toolloop-2.03",
      kind: "rule",
      milestone: 3,
      promise: "The tool catalog is cached with a time to live.",
    },
    {
      id: "toolloop-2.04",
      kind: "name",
      milestone: 3,
      promise: "`closeAll` cleans up deterministically.",
      deviation: "No process is left on any path, not even when the host is killed.",
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
    },
  ]),
  ...inSection("References", [
    {
      id: "toolloop-3.01",
      kind: "number",
      milestone: 3,
      promise: "Lifecycle, transports and tools follow the MCP specification 2025-11-25.",
      deviation: "Every revision from 2024-11-05 to 2026-07-28 is spoken.",
    },
    {
      id: "toolloop-3.02",
      kind: "number",
      milestone: 4,
      promise: "Authorization follows the MCP specification 2025-11-25.",
      deviation: "And 2026-07-28.",
    },
  ]),
  ...inSection("Supported sources and precedence", [
    {
      id: "toolloop-4.01",
      kind: "rule",
      milestone: 2,
      promise: "Overrides given as `loadMcpConfig({ overrides })` win over every other source.",
      deviation: "Layers merge per id: a whole entry replaces a whole entry.",
    },
    {
      id: "toolloop-4.02",
      kind: "rule",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_JSON` wins over a file.",
      deviation: "`PLUGBOARD_MCP_CONFIG_JSON` wins over it, with a warning.",
    },
    {
      id: "toolloop-4.03",
      kind: "rule",
      milestone: 2,
      promise:
        'An explicit path, as in `loadMcpConfig({ path: "./custom.json" })`, wins over the path variable.',
    },
    {
      id: "toolloop-4.04",
      kind: "rule",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_PATH` wins over a discovered file.",
    },
    {
      id: "toolloop-4.05",
      kind: "rule",
      milestone: 2,
      promise: "Without a path a discovered file is used.",
    },
  ]),
  ...inSection("Environment variables", [
    {
      id: "toolloop-4.06",
      kind: "name",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_PATH` holds the path of a JSON file.",
      deviation: "`PLUGBOARD_MCP_CONFIG_PATH` does the same; a named file that is missing is an error.",
    },
    {
      id: "toolloop-4.07",
      kind: "name",
      milestone: 2,
      promise: "`CODEX_TOOLLOOP_MCP_CONFIG_JSON` holds a JSON string with a partial or a full config.",
      deviation:
        "Bundle references are checked after the layers are merged, so that a partial config is valid.",
    },
  ]),
  ...inSection("File discovery", [
    {
      id: "toolloop-4.08",
      kind: "rule",
      milestone: 2,
      promise: "Discovery walks upward from `cwd` and takes the first file that exists.",
    },
    {
      id: "toolloop-4.09",
      kind: "name",
      milestone: 2,
      promise: "In each folder `codex-toolloop.mcp.json` is looked for first.",
    },
    {
      id: "toolloop-4.10",
      kind: "name",
      milestone: 2,
      promise: "In each folder `.codex-toolloop/mcp.json` is looked for second.",
    },
  ]),
  ...inSection("File format", [
    {
      id: "toolloop-4.11",
      kind: "rule",
      milestone: 2,
      promise: "The file is JSON.",
    },
    {
      id: "toolloop-4.12",
      kind: "rule",
      milestone: 2,
      promise: "File and inline variable have the same schema.",
    },
  ]),
];
