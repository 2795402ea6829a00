import { inSection, type SeedRow } from "./seed-row.ts";

/** OAuth, statuses, notifications and errors. */
export const opencodeSignInAndStatusRows: readonly SeedRow[] = [
  ...inSection("OAuth Flow", [
    {
      id: "opencode-6.01",
      kind: "rule",
      milestone: 4,
      promise: "A server that answers as unauthorized leads to the OAuth flow.",
      deviation:
        "Started by the person or in interactive mode; elsewhere the call fails immediately and says what to do.",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "a call that gets a 401 fails immediately with instructions, and works after the sign-in without a restart",
      },
    },
    {
      id: "opencode-6.02",
      kind: "rule",
      milestone: 4,
      promise: "The authorization URL comes from the endpoint the server's answer points to.",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "a call that gets a 401 fails immediately with instructions, and works after the sign-in without a restart",
      },
    },
    {
      id: "opencode-6.03",
      kind: "rule",
      milestone: 4,
      promise: "The browser is opened at the authorization URL.",
      deviation: "Without a shell, for https or loopback only; the URL is always printed.",
      shownBy: {
        file: "test/surfaces/cli-sign-in.test.ts",
        test: "`login` opens a browser without a shell, prints the address, and ends connected",
      },
    },
    {
      id: "opencode-6.04",
      kind: "rule",
      milestone: 4,
      promise: "The flow waits for the callback with the code.",
      deviation: "At most 5 minutes; a pasted URL or code and the device flow work too.",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "the final URL of the browser can be pasted, and so can the code alone",
      },
    },
    {
      id: "opencode-6.05",
      kind: "rule",
      milestone: 4,
      promise: "The code is exchanged for a token.",
      deviation: "With PKCE S256, always.",
      shownBy: {
        file: "test/auth/attacks.test.ts",
        test: "the user's entry can allow a server without PKCE, and PKCE is still sent",
      },
    },
    {
      id: "opencode-6.06",
      kind: "rule",
      milestone: 4,
      promise: "The connection is tried again with the token, without a restart.",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "a call that gets a 401 fails immediately with instructions, and works after the sign-in without a restart",
      },
    },
  ]),
  ...inSection("OAuth Server Setup", [
    {
      id: "opencode-6.07",
      kind: "number",
      milestone: 4,
      promise: "The callback server listens on a port that can be set, in the sample 3000.",
      deviation:
        "An ephemeral port by default; `callbackPort` or `redirectUri` sets it, and a busy one is an error.",
      shownBy: {
        file: "src/auth/flows/callback.lazy.test.ts",
        test: "uses the port in the entry and fails if it is in use",
      },
    },
    {
      id: "opencode-6.08",
      kind: "rule",
      milestone: 4,
      promise: "The callback takes `code` and `state` and answers with success.",
      deviation: "The state counts once, and the page waits for the token exchange before it says success.",
      shownBy: {
        file: "src/auth/flows/callback.lazy.test.ts",
        test: "is accepted once, and its page waits for the result",
      },
    },
    {
      id: "opencode-6.09",
      kind: "name",
      milestone: 4,
      promise: "A client is configured by hand with `clientId`, `clientSecret`, `authUrl` and `tokenUrl`.",
      deviation:
        "`authorizationUrl` is the same as `authUrl`; with both endpoints given, discovery is skipped.",
      shownBy: {
        file: "test/auth/clients.test.ts",
        test: "with endpoints in the entry needs no discovery",
      },
    },
  ]),
  ...inSection("Status Management", [
    {
      id: "opencode-7.01",
      kind: "name",
      milestone: 3,
      promise: 'A connected server has the status `{ status: "connected" }`.',
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "the status of every server is one of the seed's five values",
      },
    },
    {
      id: "opencode-7.02",
      kind: "name",
      milestone: 3,
      promise: 'A disabled server has the status `{ status: "disabled" }`.',
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "the status of every server is one of the seed's five values",
      },
    },
    {
      id: "opencode-7.03",
      kind: "name",
      milestone: 3,
      promise: 'A failed server has the status `{ status: "failed", error }`.',
      deviation:
        "Every state outside the five is `failed` with an `error` that names the state; an idle server also has `idle: true`.",
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "the status of every server is one of the seed's five values",
      },
    },
    {
      id: "opencode-7.04",
      kind: "name",
      milestone: 3,
      promise: 'A server that wants sign-in has the status `{ status: "needs_auth" }`.',
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "the status of every server is one of the seed's five values",
      },
    },
    {
      id: "opencode-7.05",
      kind: "name",
      milestone: 4,
      promise:
        'A server that wants a registered client has the status `{ status: "needs_client_registration", error }`.',
      deviation: "With instructions.",
      shownBy: {
        file: "test/auth/clients.test.ts",
        test: "that must be registered manually is requested, with instructions",
      },
    },
    {
      id: "opencode-7.06",
      kind: "rule",
      milestone: 3,
      promise: "The status is tracked per server.",
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "the status of every server is one of the seed's five values",
      },
    },
    {
      id: "opencode-7.07",
      kind: "rule",
      milestone: 3,
      promise: "Connecting sets the status to connected.",
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "the status of every server is one of the seed's five values",
      },
    },
    {
      id: "opencode-7.08",
      kind: "rule",
      milestone: 3,
      promise: "An error sets the status to failed with the error's message.",
      deviation: "A lost connection is restarted with backoff and a budget first.",
      shownBy: {
        file: "test/flow/reload-and-status.test.ts",
        test: "the status of every server is one of the seed's five values",
      },
    },
  ]),
  ...inSection("Tool List Changes", [
    {
      id: "opencode-8.01",
      kind: "rule",
      milestone: 3,
      promise: "A server's notice that its tools changed makes the tools be listed again.",
      deviation: "Notices are coalesced, at most one listing in 2 s per server.",
      shownBy: {
        file: "src/catalog/catalogs.test.ts",
        test: "is read at most once in two seconds, and the last announcement is not lost",
      },
    },
    {
      id: "opencode-8.02",
      kind: "name",
      milestone: 5,
      promise: "`ToolRegistry.updateMcpTools(serverName, tools)` updates the registry with the new list.",
      deviation: "A changed or new tool of a pinned server is held back until reviewed.",
      shownBy: {
        file: "src/session/tool-registry.test.ts",
        test: "names the tools and replaces only the tools of that server",
      },
    },
    {
      id: "opencode-8.03",
      kind: "name",
      milestone: 3,
      promise: "After the new list `ToolsChanged` is published with `{ server }`.",
      deviation: "As `tools.changed`.",
      shownBy: {
        file: "test/flow/events-and-session.test.ts",
        test: "the tools of a server that announces a change are read again, and the event names the server",
      },
    },
  ]),
  ...inSection("Resource Updates", [
    {
      id: "opencode-8.04",
      kind: "rule",
      milestone: 3,
      promise: "A server's notice that its resources changed makes the resources be listed again.",
      deviation: "Prompts as well.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "that announces changed resources has only that list read again",
      },
    },
    {
      id: "opencode-8.05",
      kind: "rule",
      milestone: 3,
      promise: "The cached resources of that server are replaced by the new list.",
      shownBy: {
        file: "test/flow/resources-and-prompts.test.ts",
        test: "that announces changed resources has only that list read again",
      },
    },
  ]),
  ...inSection("Connection Errors", [
    {
      id: "opencode-9.01",
      kind: "rule",
      milestone: 4,
      promise: "A connection refused as unauthorized is handled as a sign-in.",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "a call that gets a 401 fails immediately with instructions, and works after the sign-in without a restart",
      },
    },
    {
      id: "opencode-9.02",
      kind: "message",
      milestone: 3,
      promise: "A server that does not respond is logged as `MCP server timeout` with `{ server }`.",
      shownBy: {
        file: "test/flow/events-and-session.test.ts",
        test: "a server's failure is logged with its kind",
      },
    },
    {
      id: "opencode-9.03",
      kind: "message",
      milestone: 3,
      promise: "Any other failure to connect is logged as `MCP connection failed` with `{ server, error }`.",
      shownBy: {
        file: "test/flow/events-and-session.test.ts",
        test: "a server's failure is logged with its kind",
      },
    },
  ]),
  ...inSection("Tool Execution Errors", [
    {
      id: "opencode-9.04",
      kind: "message",
      milestone: 1,
      promise: "A call that fails says `Tool execution failed: <message>`.",
      deviation: "The message of `HostError` `TOOL_CALL_FAILED`; a model reads `MCP error: ...`.",
      shownBy: {
        file: "test/flow/timeouts.test.ts",
        test: "a call that times out fails with the timeout as its cause",
      },
    },
    {
      id: "opencode-9.05",
      kind: "rule",
      milestone: 5,
      promise: "A call that fails goes back to the model as a result with `isError: true` and text.",
      shownBy: {
        file: "src/bridge/to-agent-tools.test.ts",
        test: "that fails with %s returns an error text",
      },
    },
  ]),
];
