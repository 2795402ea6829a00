import { inSection, type SeedRow } from "./seed-row.ts";

/** Caching, timeouts, the command line and the security advice. */
export const opencodeCommandRows: readonly SeedRow[] = [
  ...inSection("Caching", [
    {
      id: "opencode-13.01",
      kind: "number",
      milestone: 3,
      promise: "Tool definitions are cached for one hour, 3600000 ms.",
      deviation: "A default: `toolsTtlMs` changes it and a server's `ttlMs` wins.",
      shownBy: {
        file: "test/flow/cached-tools.test.ts",
        test: "are fresh for an hour by default",
      },
    },
    {
      id: "opencode-13.02",
      kind: "rule",
      milestone: 3,
      promise: "Within that time the cached tools are given without asking the server.",
      deviation: "The cache is on disk, so that tools are known before a connection exists.",
      shownBy: { file: "test/flow/cached-tools.test.ts", test: "are returned without starting the server" },
    },
    {
      id: "opencode-13.03",
      kind: "rule",
      milestone: 3,
      promise: "After that time the tools are listed again and the cache is renewed.",
      deviation: "Until then the old ones stay visible, marked as stale.",
      shownBy: {
        file: "test/flow/cached-tools.test.ts",
        test: "are marked as stale when they expire, still returned, and read again at the next connection",
      },
    },
  ]),
  ...inSection("Connection Pooling", [
    {
      id: "opencode-13.04",
      kind: "rule",
      milestone: 3,
      promise: "A server's client is created once and used again.",
      deviation: "One start per server however many callers ask at once.",
      shownBy: { file: "test/flow/crash-and-close.test.ts", test: "twenty calls at once start one process" },
    },
  ]),
  ...inSection("Timeout Configuration", [
    {
      id: "opencode-13.05",
      kind: "rule",
      milestone: 3,
      promise: "The timeout can be configured per server.",
      deviation: "Startup, list and call have timeouts of their own.",
      shownBy: {
        file: "test/flow/timeouts.test.ts",
        test: "a call has the timeout of its server's entry, even a long one",
      },
    },
    {
      id: "opencode-13.06",
      kind: "name",
      milestone: 2,
      promise: "`[experimental]` `mcp_timeout = 60000` in the config file sets the timeout in ms.",
      shownBy: { file: "src/discovery/providers/opencode.test.ts", test: "has one timeout for all servers" },
    },
    {
      id: "opencode-13.07",
      kind: "number",
      milestone: 3,
      promise: "The default timeout is 30 s.",
      shownBy: {
        file: "test/flow/timeouts.test.ts",
        test: "a call has a timeout of 30 seconds by default",
      },
    },
  ]),
  ...inSection("CLI Commands", [
    {
      id: "opencode-14.01",
      kind: "command",
      milestone: 1,
      promise: "Commands may be written with a leading `mcp`, as `mcp list`.",
      shownBy: { file: "test/surfaces/cli-help.test.ts", test: "a leading `mcp` is accepted" },
    },
    {
      id: "opencode-14.02",
      kind: "command",
      milestone: 1,
      promise: "`mcp list` lists the configured servers.",
      deviation: "With source file, tier, state and problems; `--json` for programs.",
      shownBy: {
        file: "test/surfaces/cli-list.test.ts",
        test: "`list` shows each server with its transport, state, tier and location, and the next command",
      },
    },
    {
      id: "opencode-14.03",
      kind: "command",
      milestone: 2,
      promise: '`mcp add github --url "https://mcp.github.com" --oauth` adds a remote server.',
      shownBy: {
        file: "test/surfaces/cli-writing-add.test.ts",
        test: "the seeds' commands add and remove a remote and a local server",
      },
    },
    {
      id: "opencode-14.04",
      kind: "command",
      milestone: 4,
      promise: "`mcp add ... --oauth` signs in.",
      deviation: "It goes through to a working connection.",
      shownBy: {
        file: "test/surfaces/cli-sign-in.test.ts",
        test: "`add --oauth` ends with a working connection",
      },
    },
    {
      id: "opencode-14.05",
      kind: "command",
      milestone: 2,
      promise: "`mcp remove github` removes a server.",
      shownBy: {
        file: "test/surfaces/cli-writing-add.test.ts",
        test: "the seeds' commands add and remove a remote and a local server",
      },
    },
    {
      id: "opencode-14.06",
      kind: "command",
      milestone: 1,
      promise: "`mcp test filesystem` tests a server.",
      shownBy: {
        file: "test/surfaces/cli-overview.test.ts",
        test: "reports a server's identity and what it offers",
      },
    },
    {
      id: "opencode-14.07",
      kind: "command",
      milestone: 1,
      promise: "`mcp status` shows the status of the servers.",
      shownBy: {
        file: "test/surfaces/cli-overview.test.ts",
        test: "%s shows each with its state, its tools and the next command",
      },
    },
    {
      id: "opencode-14.08",
      kind: "command",
      milestone: 3,
      promise: "`mcp reload` reloads the servers.",
      deviation: "It reads again, drops cached catalogs, reconnects and reports.",
      shownBy: {
        file: "test/surfaces/cli-status.test.ts",
        test: "clears the caches, connects to every server and reports",
      },
    },
  ]),
  ...inSection("Security Best Practices", [
    {
      id: "opencode-15.01",
      kind: "rule",
      milestone: 5,
      promise: "Tool inputs are validated.",
      deviation: "The seed leaves it to the server; here arguments are checked before the call as well.",
      shownBy: {
        file: "test/flow/hostile-tools.test.ts",
        test: "gets wrong arguments rejected with an explanation for the model",
      },
    },
    {
      id: "opencode-15.02",
      kind: "rule",
      milestone: 3,
      promise: "A server can be run in a container or sandbox.",
      deviation:
        "By `sandbox`, with an image too, or by `wrap`, an argv prefix; all are part of the approved launch.",
      shownBy: {
        file: "test/hostile/sandbox.test.ts",
        test: "but can write to the project and its data folder, and read the package cache",
      },
    },
    {
      id: "opencode-15.03",
      kind: "rule",
      milestone: 3,
      promise: "A server gets minimal access.",
      deviation:
        "A minimal environment, roots only where given, and no value of the host it does not declare. In a sandbox, only the project and its own folder.",
      shownBy: {
        file: "test/hostile/sandbox.test.ts",
        test: "but can write to the project and its data folder, and read the package cache",
      },
    },
    {
      id: "opencode-15.04",
      kind: "rule",
      milestone: 4,
      promise: "OAuth tokens and API keys are never logged.",
      deviation: "Nor printed, put in argv or in a URL.",
      shownBy: {
        file: "test/flow/canary.test.ts",
        test: "in a program: results, errors, causes, events, log, snapshots, server logs, files, command lines",
      },
    },
    {
      id: "opencode-15.05",
      kind: "rule",
      milestone: 3,
      promise: "Reasonable timeouts prevent hangs.",
      shownBy: {
        file: "test/flow/timeouts.test.ts",
        test: "a server that never answers fails to connect, and the hint suggests a solution",
      },
    },
    {
      id: "opencode-15.06",
      kind: "rule",
      milestone: 5,
      promise: "The tools of a third-party server can be reviewed.",
      deviation: "Pins hold back what changed, with a readable difference to accept.",
      shownBy: {
        file: "test/flow/tool-pins.test.ts",
        test: "has the changed and the new ones held back until the user accepts them",
      },
    },
    {
      id: "opencode-15.07",
      kind: "rule",
      milestone: 2,
      promise: "MCP libraries and servers are kept up to date.",
      deviation:
        "`plugboard outdated` shows newer versions and how their tools differ; `plugboard upgrade` changes the entry.",
      shownBy: {
        file: "test/surfaces/cli-outdated.test.ts",
        test: "shows the change and the tools, and keeps everything else in the entry",
      },
    },
  ]),
];
