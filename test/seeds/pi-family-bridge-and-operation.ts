import { inSection, type SeedRow } from "./seed-row.ts";

/** Sections 4 and 5, ids without prefix. */
export const bridgeAndOperationRows: readonly SeedRow[] = [
  ...inSection("4) Tool bridge: MCP -> agent-callable tools", [
    {
      id: "4.01",
      kind: "rule",
      milestone: 1,
      promise: "Each MCP tool definition becomes a tool an agent can call.",
      shownBy: {
        file: "test/flow/call.test.ts",
        test: "a tool keeps its title, description, schema and hints under a name every model accepts",
      },
    },
  ]),
  ...inSection("Naming and collision domain", [
    {
      id: "4.02",
      kind: "name",
      milestone: 1,
      promise: "A tool is named `mcp_<sanitized_server_name>_<sanitized_tool_name>`.",
      deviation:
        "Ends are trimmed, an empty part becomes `server` or `tool`, and a name has at most 64 characters.",
      shownBy: {
        file: "src/bridge/tool-name.test.ts",
        test: "of (%s, %s) is %s: digits are kept",
      },
    },
    {
      id: "4.03",
      kind: "rule",
      milestone: 1,
      promise: "Names are lower case.",
      shownBy: {
        file: "src/bridge/tool-name.test.ts",
        test: "of (%s, %s) is in lower case, with underscores for all other characters",
      },
    },
    {
      id: "4.04",
      kind: "rule",
      milestone: 1,
      promise: "Every character outside `[a-z_]` becomes `_`.",
      deviation: "In the style `seeds`, which `plugboard/compat` uses; the default style keeps digits.",
      shownBy: {
        file: "src/bridge/tool-name.test.ts",
        test: "of (%s, %s) is %s in the style of the seeds, which drops digits",
      },
    },
    {
      id: "4.05",
      kind: "rule",
      milestone: 1,
      promise: "Repeated underscores collapse to one.",
      shownBy: {
        file: "src/bridge/tool-name.test.ts",
        test: "of (%s, %s) has single underscores and none at the ends",
      },
    },
    {
      id: "4.06",
      kind: "rule",
      milestone: 1,
      promise: "A redundant `<server>_` in front of the tool's name is stripped once.",
      deviation: "Unless nothing would be left.",
      shownBy: {
        file: "src/bridge/tool-name.test.ts",
        test: "of (%s, %s) contains the server once, unless nothing else would be left",
      },
    },
    {
      id: "4.07",
      kind: "rule",
      milestone: 5,
      promise:
        "Two tools whose names become the same, as of `my-server` and `my.server`, both stay callable.",
      deviation:
        "The seed lets the last write win; here each of them gets a hash, and the shared name is retired.",
      shownBy: {
        file: "test/flow/tool-names.test.ts",
        test: "servers whose names become the same keep their tools",
      },
    },
  ]),
  ...inSection("Schema mapping", [
    {
      id: "4.08",
      kind: "name",
      milestone: 5,
      promise:
        "`convertSchema()` keeps the tool's JSON Schema as it is but for the patch of missing `properties`.",
      shownBy: {
        file: "src/compat/config-values.test.ts",
        test: "does not change %s",
      },
    },
    {
      id: "4.09",
      kind: "rule",
      milestone: 5,
      promise: "An object schema without `properties` gets `{}`.",
      deviation: "A missing schema becomes an empty object schema.",
      shownBy: { file: "src/bridge/check/check-arguments.test.ts", test: "the converted schema: %s" },
    },
  ]),
  ...inSection("Execution mapping", [
    {
      id: "4.10",
      kind: "rule",
      milestone: 1,
      promise: "Executing a tool calls MCP `tools/call` on its server.",
      shownBy: {
        file: "test/flow/program-servers.test.ts",
        test: "a server in the user's file becomes a callable tool",
      },
    },
    {
      id: "4.11",
      kind: "rule",
      milestone: 3,
      promise: "Executing a deferred tool calls `tools/call` in the same way once its server is connected.",
      shownBy: {
        file: "test/flow/cached-tools.test.ts",
        test: "connect to their server when they are called",
      },
    },
    {
      id: "4.12",
      kind: "rule",
      milestone: 5,
      promise: "MCP content is flattened to text that can be displayed.",
      deviation: "Typed parts for multimodal models come with it, and text never holds base64.",
      shownBy: { file: "src/bridge/tool-result.test.ts", test: "reads as text: %s" },
    },
    {
      id: "4.13",
      kind: "name",
      milestone: 5,
      promise: "A result carries details with `serverName`, `mcpToolName` and the provider.",
      deviation: "The source of the server as well.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "4.14",
      kind: "message",
      milestone: 5,
      promise: "A result the server marks with `isError` becomes the text `Error: ...`.",
      shownBy: {
        file: "src/bridge/to-agent-tools.test.ts",
        test: "that the tool reports as failed has an error text",
      },
    },
    {
      id: "4.15",
      kind: "message",
      milestone: 5,
      promise: "A transport or runtime failure becomes the text `MCP error: ...`.",
      shownBy: {
        file: "src/bridge/to-agent-tools.test.ts",
        test: "that fails with %s returns an error text",
      },
    },
    {
      id: "4.16",
      kind: "name",
      milestone: 5,
      promise: "An AbortError comes out as `ToolAbortError`.",
      deviation: "The call is cancelled at the server too.",
      shownBy: {
        file: "src/bridge/to-agent-tools.test.ts",
        test: "that is aborted %s rejects with the abort error",
      },
    },
  ]),
  ...inSection("5) Operator lifecycle: add/edit/remove and live updates", [
    {
      id: "5.01",
      kind: "command",
      milestone: 6,
      promise: "Interactive mode offers `/mcp`.",
      shownBy: {
        file: "test/surfaces/tui/mcp.test.ts",
        test: "runs every command on the session's servers",
      },
    },
    {
      id: "5.02",
      kind: "command",
      milestone: 6,
      promise: "`/mcp add` opens a wizard.",
      shownBy: { file: "test/surfaces/mcp-wizard.test.ts", test: "adds a program after a successful test" },
    },
    {
      id: "5.03",
      kind: "command",
      milestone: 6,
      promise: "`/mcp add <name> ...` adds a server from its arguments (quick-add).",
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "adds a server, connects it in the background, and does not affect the others",
      },
    },
    {
      id: "5.04",
      kind: "command",
      milestone: 6,
      promise: "`/mcp remove` and `/mcp rm` remove a server.",
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "remove and rm remove a server and its tools",
      },
    },
    {
      id: "5.05",
      kind: "command",
      milestone: 6,
      promise: "`/mcp enable` and `/mcp disable` switch a server on and off.",
      deviation:
        "A server in another tool's file is switched in `~/.plugboard/mcp.json`; that file is never edited.",
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "enable and disable take effect immediately, and using a disabled server suggests the command",
      },
    },
    {
      id: "5.06",
      kind: "command",
      milestone: 6,
      promise: "`/mcp test` tests a connection.",
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "test reports what the server offers, or why it fails",
      },
    },
    {
      id: "5.07",
      kind: "command",
      milestone: 6,
      promise: "`/mcp reauth` signs in again and `/mcp unauth` forgets the sign-in.",
      shownBy: {
        file: "test/surfaces/mcp-questions.test.ts",
        test: "accepts pasted text in /mcp reauth, and /mcp unauth deletes it",
      },
    },
    {
      id: "5.08",
      kind: "command",
      milestone: 6,
      promise: "`/mcp reload` reads the configuration again and reconnects.",
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "reload rereads the files, connects every allowed server, and reports each",
      },
    },
    {
      id: "5.09",
      kind: "rule",
      milestone: 2,
      promise: "A config file is written atomically: a temporary file, then a rename.",
      deviation: "Under a lock, with fsync of file and folder, keeping comments, order, mode and symlinks.",
      shownBy: {
        file: "test/durability/kill.test.ts",
        test: "a writer killed at any moment loses nothing that it reported as written, and blocks no other process",
      },
    },
    {
      id: "5.10",
      kind: "name",
      milestone: 5,
      promise: "`writeMCPConfigFile` writes a config file that way.",
      shownBy: {
        file: "src/compat/config-values.test.ts",
        test: "readers see the whole old file or the whole new one",
      },
    },
    {
      id: "5.11",
      kind: "rule",
      milestone: 3,
      promise: "A reload disconnects every server, discovers again and connects.",
      deviation: "Only changed servers restart; `reload({ hard: true })` is the seed's way.",
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "with `hard` disconnects every server, reads everything again and reconnects the servers that were in use",
      },
    },
    {
      id: "5.12",
      kind: "rule",
      milestone: 5,
      promise: "A reload ends with the session's MCP tools refreshed from what is connected now.",
      shownBy: {
        file: "test/flow/compat.test.ts",
        test: "a reload through MCPManager replaces the session's MCP tools with those of the connected servers",
      },
    },
    {
      id: "5.13",
      kind: "name",
      milestone: 5,
      promise: "`MCPManager` has `disconnectAll()`, `discoverAndConnect()` and `getTools()`.",
      shownBy: {
        file: "test/flow/compat.test.ts",
        test: "a reload through MCPManager replaces the session's MCP tools with those of the connected servers",
      },
    },
    {
      id: "5.14",
      kind: "rule",
      milestone: 5,
      promise: "`refreshMCPTools()` replaces all `mcp_` entries of the registry.",
      deviation: "In one step, leaving other tools alone.",
      shownBy: {
        file: "src/session/tool-registry.test.ts",
        test: "refreshMCPTools replaces all MCP tools and keeps the agent's own",
      },
    },
    {
      id: "5.15",
      kind: "rule",
      milestone: 5,
      promise: "`refreshMCPTools()` activates the new tools at once, without a restart of the session.",
      shownBy: {
        file: "src/session/tool-registry.test.ts",
        test: "refreshMCPTools activates the new tools, even those that were inactive before",
      },
    },
    {
      id: "5.16",
      kind: "rule",
      milestone: 6,
      promise: "A change made with `/mcp` reloads and takes effect in the running session.",
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "adds a server, connects it in the background, and does not affect the others",
      },
    },
  ]),
  ...inSection("Mode differences", [
    {
      id: "5.17",
      kind: "rule",
      milestone: 6,
      promise: "Interactive mode has the wizard and the OAuth flow in the application itself.",
      shownBy: {
        file: "test/surfaces/mcp-wizard.test.ts",
        test: "signs in to a remote server after it is added, with pasted text",
      },
    },
    {
      id: "5.18",
      kind: "rule",
      milestone: 6,
      promise: "Interactive mode shows the connection status as text.",
      shownBy: {
        file: "test/surfaces/tui/mcp.test.ts",
        test: "runs every command on the session's servers",
      },
    },
    {
      id: "5.19",
      kind: "rule",
      milestone: 6,
      promise: "Interactive mode rebinds the tools of the running session immediately.",
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "replaces the tools of the running session in one step",
      },
    },
    {
      id: "5.20",
      kind: "name",
      milestone: 5,
      promise: "`discoverAndLoadMCPTools()` returns the loaded tools and the errors per server.",
      deviation: "The connected servers as well.",
      shownBy: {
        file: "test/flow/compat.test.ts",
        test: "discoverAndLoadMCPTools returns tools, each server's error, and the connected servers",
      },
    },
    {
      id: "5.21",
      kind: "rule",
      milestone: 5,
      promise: "Headless use through the library works without the `/mcp` command.",
      shownBy: {
        file: "test/flow/compat.test.ts",
        test: "discoverAndLoadMCPTools returns tools, each server's error, and the connected servers",
      },
    },
  ]),
];
