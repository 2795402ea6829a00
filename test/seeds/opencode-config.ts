import { inSection, type SeedRow } from "./seed-row.ts";

/** What the integration is, the config file and the transports. */
export const opencodeConfigRows: readonly SeedRow[] = [
  ...inSection("Overview", [
    {
      id: "opencode-1.01",
      kind: "rule",
      milestone: 1,
      promise: "As an MCP client it takes tools from external servers.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the everything server lists its tools and adds two numbers",
      },
    },
    {
      id: "opencode-1.02",
      kind: "rule",
      milestone: 3,
      promise: "As an MCP client it takes resources and prompts from external servers.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "the resources, templates, prompts and completions of the published everything server work",
      },
    },
  ]),
  ...inSection("What is MCP?", [
    {
      id: "opencode-2.01",
      kind: "rule",
      milestone: 1,
      promise: "Tools are external functions the model can call.",
      shownBy: {
        file: "test/flow/program-servers.test.ts",
        test: "a server in the user's file becomes a callable tool",
      },
    },
    {
      id: "opencode-2.02",
      kind: "rule",
      milestone: 3,
      promise: "Resources are structured data: files, APIs, databases.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "has its resources read by URI: text, bytes, and those of a template",
      },
    },
    {
      id: "opencode-2.03",
      kind: "rule",
      milestone: 3,
      promise: "Prompts are templates filled with arguments.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "fills in its prompts, and completes their arguments",
      },
    },
    {
      id: "opencode-2.04",
      kind: "rule",
      milestone: 2,
      promise: "The integration is neutral to vendors.",
      deviation: "Servers configured for any other tool are found and used.",
      shownBy: { file: "test/flow/other-tools.test.ts", test: "the project's %s, once approved" },
    },
    {
      id: "opencode-2.05",
      kind: "rule",
      milestone: 3,
      promise: "What a server can do is discovered in the standard way.",
      deviation: "In both protocol eras.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "has its resources, templates and prompts listed with their details",
      },
    },
    {
      id: "opencode-2.06",
      kind: "rule",
      milestone: 4,
      promise: "Authentication is secure, by OAuth or API keys.",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "tokens are only in the vault, and never in plain text",
      },
    },
    {
      id: "opencode-2.07",
      kind: "rule",
      milestone: 3,
      promise: "Changed capabilities are reloaded while running.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "that announces changed resources has only that list read again",
      },
    },
  ]),
  ...inSection("MCP Architecture in OpenCode", [
    {
      id: "opencode-3.01",
      kind: "rule",
      milestone: 3,
      promise: "Servers over stdio, SSE and HTTP work side by side in one host.",
      shownBy: {
        file: "test/flow/http-fallback.test.ts",
        test: "servers over stdio, HTTP and SSE work side by side in one host",
      },
    },
    {
      id: "opencode-3.02",
      kind: "rule",
      milestone: 5,
      promise: "The agent reaches all of them through one client.",
      shownBy: {
        file: "test/flow/session-tools.test.ts",
        test: "an agent can use the tools of all servers in one session, whatever their transport and era",
      },
    },
  ]),
  ...inSection("Config File (`.opencode/config.toml`)", [
    {
      id: "opencode-4.01",
      kind: "name",
      milestone: 2,
      promise: "`.opencode/config.toml` holds a table `[mcp.<name>]` per server.",
      deviation: "OpenCode's real JSON and JSONC files, v1 and v2, are read too.",
      shownBy: { file: "test/flow/other-tools.test.ts", test: "the project's %s, once approved" },
    },
    {
      id: "opencode-4.02",
      kind: "rule",
      milestone: 2,
      promise: "`command` with `args` is a stdio server.",
      shownBy: {
        file: "src/discovery/providers/opencode.test.ts",
        test: "is read as in the seed: stdio, SSE, HTTP, headers and sign-in",
      },
    },
    {
      id: "opencode-4.03",
      kind: "rule",
      milestone: 2,
      promise: "A `url` that ends in `/sse`, as `http://localhost:3000/sse`, is an SSE server.",
      shownBy: {
        file: "src/discovery/providers/opencode.test.ts",
        test: "is read as in the seed: stdio, SSE, HTTP, headers and sign-in",
      },
    },
    {
      id: "opencode-4.04",
      kind: "rule",
      milestone: 2,
      promise: "Any other `url`, as `http://localhost:8080`, is a Streamable HTTP server.",
      shownBy: {
        file: "src/discovery/providers/opencode.test.ts",
        test: "is read as in the seed: stdio, SSE, HTTP, headers and sign-in",
      },
    },
    {
      id: "opencode-4.05",
      kind: "name",
      milestone: 2,
      promise: "`headers` holds headers such as `Authorization` and `X-API-Key`.",
      shownBy: {
        file: "src/discovery/providers/opencode.test.ts",
        test: "is read as in the seed: stdio, SSE, HTTP, headers and sign-in",
      },
    },
    {
      id: "opencode-4.06",
      kind: "rule",
      milestone: 1,
      promise: "Configured headers are sent to the server.",
      shownBy: {
        file: "test/flow/connect-errors.test.ts",
        test: "a server that requires a header accepts the one in the config",
      },
    },
    {
      id: "opencode-4.07",
      kind: "name",
      milestone: 2,
      promise: "`oauth = true` marks a server that signs in with OAuth.",
      shownBy: {
        file: "src/discovery/providers/opencode.test.ts",
        test: "is read as in the seed: stdio, SSE, HTTP, headers and sign-in",
      },
    },
    {
      id: "opencode-4.08",
      kind: "rule",
      milestone: 4,
      promise: "A server marked with `oauth = true` is signed in with OAuth.",
      deviation: "One that answers 401 is as well, unless `oauth` is `false`.",
      shownBy: {
        file: "test/surfaces/cli-sign-in.test.ts",
        test: "`add --oauth` ends with a working connection",
      },
    },
  ]),
  ...inSection("1. Stdio Transport", [
    {
      id: "opencode-4.09",
      kind: "rule",
      milestone: 1,
      promise: "Stdio spawns a local process and talks over its stdin and stdout.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "opencode-4.10",
      kind: "rule",
      milestone: 1,
      promise: "Stdio needs no network.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "opencode-4.11",
      kind: "rule",
      milestone: 3,
      promise: "A stdio server starts on every platform.",
      deviation: "The seed calls it platform-specific; Windows `.cmd` launchers start without a shell.",
      shownBy: {
        file: "src/connection/windows-command.lazy.test.ts",
        test: "that is a batch file runs under cmd.exe, with its arguments quoted",
      },
    },
  ]),
  ...inSection("2. SSE Transport", [
    {
      id: "opencode-4.12",
      kind: "rule",
      milestone: 3,
      promise: "SSE receives the server's events over HTTP.",
      shownBy: { file: "test/flow/http-fallback.test.ts", test: "an SSE server is reached as %s" },
    },
    {
      id: "opencode-4.13",
      kind: "rule",
      milestone: 3,
      promise: "SSE works through firewalls, over plain HTTP.",
      deviation: "The proxy variables of the environment are honoured.",
      shownBy: {
        file: "test/flow/http-proxy.test.ts",
        test: "the stream of an SSE server also uses the proxy",
      },
    },
    {
      id: "opencode-4.14",
      kind: "rule",
      milestone: 3,
      promise: "The event stream goes one way, from server to client; requests are posted beside it.",
      shownBy: {
        file: "test/flow/http-fallback.test.ts",
        test: "the headers of an SSE server are sent with its stream and with every message",
      },
    },
  ]),
  ...inSection("3. Streamable HTTP Transport", [
    {
      id: "opencode-4.15",
      kind: "rule",
      milestone: 1,
      promise: "Streamable HTTP talks to a server at its URL.",
      deviation: "Where that fails SSE is tried, and the error shown is the one that matters.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "opencode-4.16",
      kind: "rule",
      milestone: 3,
      promise: "Streamable HTTP works in both directions: the server can send to the client as well.",
      deviation: "No HTTP/2 is needed.",
      shownBy: {
        file: "test/flow/http-streams.test.ts",
        test: "is reopened with growing delays when it is lost, and the tools are read again",
      },
    },
  ]),
];
