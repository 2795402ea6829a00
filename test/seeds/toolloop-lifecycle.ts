import { inSection, type SeedRow } from "./seed-row.ts";

/** Clients, authorization, safety, limits, tests and commands. */
export const toolloopLifecycleRows: readonly SeedRow[] = [
  ...inSection("`McpClientManager`", [
    {
      id: "toolloop-7.01",
      kind: "name",
      milestone: 5,
      promise: "`McpClientManager` manages the clients of the servers it is given.",
      deviation:
        "With `getClient`, `getTools`, `listServerIds`, `close` and `closeAll`, in `plugboard/compat`.",
      shownBy: {
        file: "test/flow/compat.test.ts",
        test: "manages the servers it is given, connects when one is used, and finds no others",
      },
    },
    {
      id: "toolloop-7.02",
      kind: "rule",
      milestone: 5,
      promise: "It creates a client only when its server is actually used.",
      deviation:
        "A failed first connection is tried again at the next use, and `enabled: false` is enforced.",
      shownBy: {
        file: "test/flow/compat.test.ts",
        test: "manages the servers it is given, connects when one is used, and finds no others",
      },
    },
    {
      id: "toolloop-7.03",
      kind: "name",
      milestone: 3,
      promise: "`toolsTtlMs` sets how long a tool catalog is cached.",
      deviation:
        "One hour by default; a server's own `ttlMs` wins, and concurrent callers share one request.",
      shownBy: {
        file: "test/flow/compat-manager.test.ts",
        test: "reads the tools again after toolsTtlMs, and not before",
      },
    },
    {
      id: "toolloop-7.04",
      kind: "name",
      milestone: 3,
      promise: "`close(serverId)` ends the connection of one server.",
      shownBy: {
        file: "test/flow/compat-manager.test.ts",
        test: "close ends one server with everything it started, and leaves the others running",
      },
    },
    {
      id: "toolloop-7.05",
      kind: "name",
      milestone: 3,
      promise: "`closeAll()` ends every connection.",
      shownBy: {
        file: "test/flow/compat-manager.test.ts",
        test: "closeAll ends every server, including one that is still starting, and nothing can be used afterwards",
      },
    },
    {
      id: "toolloop-7.06",
      kind: "rule",
      milestone: 3,
      promise: "Cleanup belongs to the end of a run: the caller that opened the host closes it.",
      deviation: "`await using` does it, and a reaper cleans up where the caller was killed.",
      shownBy: {
        file: "test/flow/crash-and-close.test.ts",
        test: "happens automatically at the end of `await using`",
      },
    },
  ]),
  ...inSection("Authorization (OAuth 2.1)", [
    {
      id: "toolloop-7.07",
      kind: "name",
      milestone: 4,
      promise: "A transport names its provider in `authProviderId`.",
      shownBy: {
        file: "test/auth/clients.test.ts",
        test: "of the official SDK supplies the tokens and is asked again after a refusal",
      },
    },
    {
      id: "toolloop-7.08",
      kind: "name",
      milestone: 4,
      promise: "`authProvidersById` gives the providers at run time.",
      deviation: "In the shape of the official SDK's `OAuthClientProvider`.",
      shownBy: {
        file: "test/auth/clients.test.ts",
        test: "of the official SDK supplies the tokens and is asked again after a refusal",
      },
    },
    {
      id: "toolloop-7.09",
      kind: "rule",
      milestone: 4,
      promise: "The provider is resolved by its id and used for the connection.",
      deviation: "An unknown id is the error `AUTH_PROVIDER_UNKNOWN`.",
      shownBy: {
        file: "test/auth/clients.test.ts",
        test: "that is missing is an error with its own code",
      },
    },
    {
      id: "toolloop-7.10",
      kind: "rule",
      milestone: 4,
      promise: "Secrets and interactive flows stay out of static config files.",
      shownBy: {
        file: "test/auth/clients.test.ts",
        test: "in the entry is used, with its secret from the environment",
      },
    },
    {
      id: "toolloop-7.11",
      kind: "number",
      milestone: 4,
      promise: "Sign-in with such a provider complies with MCP 2025-11-25.",
      deviation: "And 2026-07-28.",
      shownBy: {
        file: "test/auth/conformance.test.ts",
        test: "signing in with a program's provider also passes the conformance suite",
      },
    },
  ]),
  ...inSection("Safety posture", [
    {
      id: "toolloop-8.01",
      kind: "rule",
      milestone: 5,
      promise: "The configuration is an explicit allow list: no other server is found at run time.",
      deviation:
        "So for `McpClientManager` and `discover: false`; else discovery finds servers, and approval gates them.",
      shownBy: {
        file: "test/flow/compat.test.ts",
        test: "manages the servers it is given, connects when one is used, and finds no others",
      },
    },
    {
      id: "toolloop-8.02",
      kind: "rule",
      milestone: 1,
      promise: "STDIO servers are local and have to be configured explicitly.",
      deviation: "One from a project file starts only after the person approved that exact launch.",
      shownBy: {
        file: "test/flow/approval.test.ts",
        test: "is not started by any operation of the host",
      },
    },
    {
      id: "toolloop-8.03",
      kind: "rule",
      milestone: 1,
      promise: "Networked servers have to be configured with explicit URLs and optional headers.",
      shownBy: {
        file: "test/flow/connect-errors.test.ts",
        test: "a server that requires a header accepts the one in the config",
      },
    },
    {
      id: "toolloop-8.04",
      kind: "rule",
      milestone: 5,
      promise: "Tool definitions of untrusted servers are treated as hostile input.",
      deviation: "Held back by pins, linted, and bounded in size and cost.",
      shownBy: {
        file: "test/flow/hostile-tools.test.ts",
        test: "with a bad schema is quarantined alone, with its reason",
      },
    },
    {
      id: "toolloop-8.05",
      kind: "rule",
      milestone: 5,
      promise: "Tool outputs of untrusted servers are treated as hostile input.",
      deviation: "Text for terminals and logs passes one escaper.",
      shownBy: {
        file: "test/flow/hostile-tools.test.ts",
        test: "of an untrusted server has its hidden characters made visible",
      },
    },
  ]),
  ...inSection("Known limitations", [
    {
      id: "toolloop-9.01",
      kind: "rule",
      milestone: 5,
      promise: "Images, audio and binary files in a result do not become large base64 blobs in the text.",
      deviation: "The seed names this as its limitation; here base64 never appears in text.",
      shownBy: {
        file: "test/flow/hostile-tools.test.ts",
        test: "never puts base64 into the text, in any kind of content",
      },
    },
    {
      id: "toolloop-9.02",
      kind: "rule",
      milestone: 5,
      promise: "Media become multimodal content of the AI SDK (`image-data`, `file-data` and the like).",
      deviation: "In the content parts of the installed AI SDK, 6 or 7.",
      shownBy: { file: "test/adapters/ai-sdk-output.test.ts", test: "media in the format of the AI SDK 6" },
    },
    {
      id: "toolloop-9.03",
      kind: "rule",
      milestone: 5,
      promise: "Media can be passed as light references, as URLs or artifact paths.",
      shownBy: {
        file: "src/bridge/tool-result.test.ts",
        test: "that are too large become a link to their file",
      },
    },
    {
      id: "toolloop-9.04",
      kind: "rule",
      milestone: 5,
      promise: "Media are converted at the tool boundary, before anything consumes the result.",
      shownBy: {
        file: "test/flow/hostile-tools.test.ts",
        test: "never puts base64 into the text, in any kind of content",
      },
    },
  ]),
  ...inSection("Testing", [
    {
      id: "toolloop-10.01",
      kind: "rule",
      milestone: 2,
      promise: "Parsing and validation of the config are covered by tests.",
      shownBy: {
        file: "src/config/toolloop-config.test.ts",
        test: "that is invalid gives one error with every invalid path",
      },
    },
    {
      id: "toolloop-10.02",
      kind: "rule",
      milestone: 2,
      promise: "The precedence of file, environment and overrides is covered by tests.",
      shownBy: {
        file: "src/compat/toolloop-config.test.ts",
        test: "prefers overrides, then the inline variable, then the named, the variable's and the discovered file",
      },
    },
    {
      id: "toolloop-10.03",
      kind: "rule",
      milestone: 5,
      promise: "Caching and deterministic cleanup of the client manager are covered by tests.",
      deviation: "Caching is shown by 7.03.",
      shownBy: {
        file: "test/flow/compat-manager.test.ts",
        test: "closeAll ends every server, including one that is still starting, and nothing can be used afterwards",
      },
    },
  ]),
  ...inSection("Verification", [
    {
      id: "toolloop-11.01",
      kind: "command",
      milestone: 1,
      promise: "One command installs the repository.",
      deviation: "`npm install` instead of `pnpm install`.",
      shownBy: {
        file: "test/docs/one-command-each.test.ts",
        test: "one command installs the repository and builds it",
      },
    },
    {
      id: "toolloop-11.02",
      kind: "command",
      milestone: 1,
      promise: "One command checks the repository.",
      deviation: "`npm run check` instead of `pnpm -s check`.",
      shownBy: {
        file: "test/docs/one-command-each.test.ts",
        test: "one command checks the repository: format, lint, types, dead code and package",
      },
    },
    {
      id: "toolloop-11.03",
      kind: "command",
      milestone: 1,
      promise: "One command builds the repository.",
      deviation: "`npm run build` instead of `pnpm -s build`.",
      shownBy: { file: "test/docs/one-command-each.test.ts", test: "one command builds the repository" },
    },
  ]),
];
