import { inSection, type SeedRow } from "./seed-row.ts";

/** Introduction and section 1, ids without prefix. `folder` is the product's own config folder. */
export function configRows(folder: string): readonly SeedRow[] {
  return [
    ...inSection("MCP server and tool authoring", [
      {
        id: "0.01",
        kind: "rule",
        milestone: 1,
        promise: "A server definition in a config file becomes callable `mcp_*` tools.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "a server in the user's file becomes a callable tool",
        },
      },
      {
        id: "0.02",
        kind: "rule",
        milestone: 1,
        promise: "Operators are told what happens to an invalid, a duplicated and a disabled definition.",
        shownBy: {
          file: "test/surfaces/cli-list.test.ts",
          test: "`list` shows each server with its transport, state, tier and location, and the next command",
        },
      },
      {
        id: "0.03",
        kind: "rule",
        milestone: 4,
        promise: "Operators are told what happens to a definition that needs sign-in.",
        shownBy: {
          file: "test/auth/sign-in.test.ts",
          test: "a call that gets a 401 fails immediately with instructions, and works after the sign-in without a restart",
        },
      },
    ]),
    ...inSection("Architecture at a glance", [
      {
        id: "0.04",
        kind: "name",
        milestone: 2,
        promise: `Servers are read from \`${folder}/mcp.json\`.`,
        shownBy: { file: "test/flow/other-tools.test.ts", test: "the project's %s, once approved" },
      },
      {
        id: "0.05",
        kind: "name",
        milestone: 2,
        promise: "Servers are read from `.claude/mcp.json`.",
        deviation:
          "`.claude/.mcp.json` and `~/.claude/mcp.json` are read too, and it is said where Claude Code itself ignores the file.",
        shownBy: { file: "test/flow/other-tools.test.ts", test: "the project's %s, once approved" },
      },
      {
        id: "0.06",
        kind: "name",
        milestone: 2,
        promise: "Servers are read from `.cursor/mcp.json`.",
        deviation: "Read by Cursor's own rules, variables included.",
        shownBy: { file: "test/flow/other-tools.test.ts", test: "the project's %s, once approved" },
      },
      {
        id: "0.07",
        kind: "name",
        milestone: 2,
        promise: "Servers are read from `.vscode/mcp.json`.",
        deviation: "Read by VS Code's own rules (`servers`, `inputs`), which the seed's products misread.",
        shownBy: { file: "test/flow/other-tools.test.ts", test: "the project's %s, once approved" },
      },
      {
        id: "0.08",
        kind: "name",
        milestone: 1,
        promise: "Servers are read from the root `mcp.json`.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "a server that only the root %s defines is usable once it is approved",
        },
      },
      {
        id: "0.09",
        kind: "rule",
        milestone: 2,
        promise: "Every provider maps its own format to one canonical server form.",
        shownBy: {
          file: "test/discovery/manifest.test.ts",
          test: "has the servers that its owner would read: %s",
        },
      },
      {
        id: "0.10",
        kind: "rule",
        milestone: 2,
        promise: "Of two servers with one name, the one from the provider with the higher priority wins.",
        deviation:
          "A project declaration that is not approved ranks below every user and managed one of its name.",
        shownBy: {
          file: "test/flow/other-tools.test.ts",
          test: "refers to the whole entry of the tool with the highest priority, and the others stay visible in order",
        },
      },
      {
        id: "0.11",
        kind: "name",
        milestone: 5,
        promise:
          "`loadAllMCPConfigs` gives the servers to connect to and leaves out those with `enabled: false`.",
        shownBy: {
          file: "test/flow/compat.test.ts",
          test: "loadAllMCPConfigs returns every enabled server with all its fields, expanded, and its source",
        },
      },
      {
        id: "0.12",
        kind: "rule",
        milestone: 1,
        promise: "Each server is connected and its tools are listed.",
        deviation: "Lazily: a server starts at its first use or where it is marked `eager`.",
        shownBy: {
          file: "test/flow/connect-errors.test.ts",
          test: "one failing server does not affect the others",
        },
      },
      {
        id: "0.13",
        kind: "rule",
        milestone: 3,
        promise:
          "Tools of a server that is not connected yet are offered as deferred tools, and a call on one connects first.",
        shownBy: {
          file: "test/flow/cached-tools.test.ts",
          test: "connect to their server when they are called",
        },
      },
      {
        id: "0.14",
        kind: "name",
        milestone: 1,
        promise: "Tools are exposed as `mcp_<server>_<tool>`.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "a server in the user's file becomes a callable tool",
        },
      },
      {
        id: "0.15",
        kind: "rule",
        milestone: 5,
        promise: "`refreshMCPTools` replaces the live MCP tools of a session immediately.",
        shownBy: {
          file: "src/session/tool-registry.test.ts",
          test: "refreshMCPTools replaces all MCP tools and keeps the agent's own",
        },
      },
    ]),
    ...inSection("1) Server config model and validation", [
      {
        id: "1.01",
        kind: "rule",
        milestone: 1,
        promise: "A definition with a `command` and without `type` is a stdio server.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "the transport is the declared one, or else inferred from the other fields",
        },
      },
      {
        id: "1.02",
        kind: "name",
        milestone: 1,
        promise: "A `stdio` server takes `command` and optionally `args`, `env` and `cwd`.",
        deviation: "Plugboard's own file knows more keys (`envFile`, `inheritEnv`, `wrap` and others).",
        shownBy: {
          file: "test/surfaces/cli-list.test.ts",
          test: "`list --json` prints exactly this document",
        },
      },
      {
        id: "1.03",
        kind: "name",
        milestone: 1,
        promise: "An `http` server takes `url` and optionally `headers`.",
        shownBy: {
          file: "test/flow/connect-errors.test.ts",
          test: "a server that requires a header accepts the one in the config",
        },
      },
      {
        id: "1.04",
        kind: "name",
        milestone: 3,
        promise:
          "An `sse` server takes `url` and optionally `headers` and stays supported for compatibility.",
        shownBy: {
          file: "test/flow/http-fallback.test.ts",
          test: "the headers of an SSE server are sent with its stream and with every message",
        },
      },
      {
        id: "1.05",
        kind: "name",
        milestone: 1,
        promise: "Every transport takes `enabled` and `timeout`.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "every transport takes `enabled` and `timeout`",
        },
      },
      {
        id: "1.06",
        kind: "name",
        milestone: 4,
        promise: "Every transport takes `auth`.",
        deviation: "http and stdio are shown by 3.03 and 3.04.",
        shownBy: {
          file: "test/auth/sse.test.ts",
          test: "an sse server gets its token on the stream and on every message",
        },
      },
      {
        id: "1.07",
        kind: "name",
        milestone: 5,
        promise: "`validateServerConfig()` gives the structural errors of a definition.",
        deviation: "It keeps the seed's verdict on the raw object; reading a file is more lenient.",
        shownBy: { file: "src/compat/config-values.test.ts", test: "returns the seed's errors for %s" },
      },
      {
        id: "1.08",
        kind: "rule",
        milestone: 1,
        promise: "A definition that sets both `command` and `url` is rejected.",
        shownBy: {
          file: "test/surfaces/cli-bad-config.test.ts",
          test: "%s is reported as invalid with its position, and the others work",
        },
      },
      {
        id: "1.09",
        kind: "rule",
        milestone: 1,
        promise: "A stdio definition without `command` is rejected.",
        shownBy: {
          file: "test/surfaces/cli-bad-config.test.ts",
          test: "%s is reported as invalid with its position, and the others work",
        },
      },
      {
        id: "1.10",
        kind: "rule",
        milestone: 1,
        promise: "An http or sse definition without `url` is rejected.",
        shownBy: {
          file: "test/surfaces/cli-bad-config.test.ts",
          test: "%s is reported as invalid with its position, and the others work",
        },
      },
      {
        id: "1.11",
        kind: "rule",
        milestone: 1,
        promise: "A definition with an unknown `type` is rejected.",
        shownBy: {
          file: "test/surfaces/cli-bad-config.test.ts",
          test: "%s is reported as invalid with its position, and the others work",
        },
      },
      {
        id: "1.12",
        kind: "rule",
        milestone: 2,
        promise: "Adding or updating a server applies the same validation before anything is written.",
        shownBy: { file: "test/flow/writing-add.test.ts", test: "%s is refused" },
      },
      {
        id: "1.13",
        kind: "rule",
        milestone: 2,
        promise: "A server name that is empty is refused when writing.",
        shownBy: { file: "test/flow/writing-add.test.ts", test: "the name %j is refused" },
      },
      {
        id: "1.14",
        kind: "number",
        milestone: 2,
        promise: "A server name longer than 100 characters is refused when writing.",
        shownBy: { file: "test/flow/writing-add.test.ts", test: "the name %j is refused" },
      },
      {
        id: "1.15",
        kind: "rule",
        milestone: 2,
        promise: "A server name with a character outside `[a-zA-Z0-9_.-]` is refused when writing.",
        deviation: "Also refused: `.`, `..`, `__proto__`, `constructor` and `prototype`.",
        shownBy: { file: "test/flow/writing-add.test.ts", test: "the name %j is refused" },
      },
    ]),
    ...inSection("Transport pitfalls", [
      {
        id: "1.16",
        kind: "rule",
        milestone: 1,
        promise: "Without `type` a definition counts as stdio, so that `command` is mandatory.",
        deviation:
          "A `url` without `type` is usable as http with a warning, and the type is always written out.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "the transport is the declared one, or else inferred from the other fields",
        },
      },
      {
        id: "1.17",
        kind: "rule",
        milestone: 3,
        promise: "`sse` is accepted and reaches a Streamable HTTP server as well.",
        deviation: "SSE is tried first and Streamable HTTP second; `http` does it the other way round.",
        shownBy: {
          file: "test/flow/http-fallback.test.ts",
          test: "a Streamable HTTP server is reached as %s",
        },
      },
      {
        id: "1.18",
        kind: "rule",
        milestone: 1,
        promise: "Validation looks at structure only: a valid URL nobody answers is found when connecting.",
        shownBy: { file: "test/flow/connect-errors.test.ts", test: "at which nothing listens is reported" },
      },
    ]),
  ];
}
