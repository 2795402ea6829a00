import { inSection, type SeedRow } from "./seed-row.ts";

/** The servers that the document names, and how to write a server. */
export const opencodeServerRows: readonly SeedRow[] = [
  ...inSection("Filesystem Server", [
    {
      id: "opencode-10.01",
      kind: "name",
      milestone: 2,
      promise: "`filesystem` is `npx -y @modelcontextprotocol/server-filesystem` with a path.",
      deviation: "`plugboard add filesystem <path>` writes it from a table with pinned versions.",
      shownBy: { file: "test/surfaces/cli-writing-add.test.ts", test: "a server that is known by name %s" },
    },
    {
      id: "opencode-10.02",
      kind: "name",
      milestone: 1,
      promise: "Its `read_file` reads a file.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the filesystem server reads, writes, lists and searches files",
      },
    },
    {
      id: "opencode-10.03",
      kind: "name",
      milestone: 1,
      promise: "Its `write_file` writes a file.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the filesystem server reads, writes, lists and searches files",
      },
    },
    {
      id: "opencode-10.04",
      kind: "name",
      milestone: 1,
      promise: "Its `list_directory` lists a directory.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the filesystem server reads, writes, lists and searches files",
      },
    },
    {
      id: "opencode-10.05",
      kind: "name",
      milestone: 1,
      promise: "Its `search_files` searches files by pattern.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the filesystem server reads, writes, lists and searches files",
      },
    },
  ]),
  ...inSection("Git Server", [
    {
      id: "opencode-10.06",
      kind: "name",
      milestone: 2,
      promise: "`git` is `npx -y @modelcontextprotocol/server-git`.",
      deviation: "npm has no such package; the known server `git` is `@cyanheads/git-mcp-server`.",
      shownBy: { file: "test/surfaces/cli-writing-add.test.ts", test: "a server that is known by name %s" },
    },
    {
      id: "opencode-10.07",
      kind: "name",
      milestone: 5,
      promise: "It offers `git_status`, `git_diff`, `git_commit` and `git_log`.",
      deviation: "Somebody else's tools: shown with the published server.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the git server offers status, diff, commit and log, and reports what changed in a repository",
      },
    },
  ]),
  ...inSection("Brave Search Server", [
    {
      id: "opencode-10.08",
      kind: "name",
      milestone: 2,
      promise: "`brave_search` is `npx -y @modelcontextprotocol/server-brave-search`.",
      deviation: "The known server is called `brave-search`.",
      shownBy: {
        file: "test/surfaces/cli-writing-add.test.ts",
        test: "a known server's variables by name, and reports that they are required",
      },
    },
    {
      id: "opencode-10.09",
      kind: "name",
      milestone: 2,
      promise: "It takes its key from `BRAVE_API_KEY` in `env`.",
      deviation: "As a reference to a variable, not as a literal.",
      shownBy: {
        file: "test/surfaces/cli-writing-add.test.ts",
        test: "a known server's variables by name, and reports that they are required",
      },
    },
    {
      id: "opencode-10.10",
      kind: "name",
      milestone: 5,
      promise: "It offers `brave_web_search` and `brave_local_search`.",
      deviation: "Somebody else's tools: shown with the published server.",
      shownBy: {
        file: "test/flow/published-servers.test.ts",
        test: "the Brave Search server offers web search and local search",
      },
    },
  ]),
  ...inSection("Server Implementation (Node.js)", [
    {
      id: "opencode-11.01",
      kind: "rule",
      milestone: 1,
      promise: "A server written with the official SDK over stdio lists its tools here.",
      shownBy: { file: "test/flow/call.test.ts", test: "a server reports its identity and what it offers" },
    },
    {
      id: "opencode-11.02",
      kind: "rule",
      milestone: 1,
      promise: "Its tool, called with arguments, answers with content of type `text`.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
  ]),
  ...inSection("Testing Custom Server", [
    {
      id: "opencode-11.03",
      kind: "command",
      milestone: 2,
      promise: '`mcp add my-server --command "node" --args "path/to/server.js"` adds the server.',
      deviation: "`--args` is given once per argument, and `-- <command...>` works too.",
      shownBy: {
        file: "test/surfaces/cli-writing-add.test.ts",
        test: "the seeds' commands add and remove a remote and a local server",
      },
    },
    {
      id: "opencode-11.04",
      kind: "command",
      milestone: 1,
      promise: "`mcp list` verifies the connection.",
      deviation: "`list` alone never connects; `list --connect` and `status` do.",
      shownBy: {
        file: "test/surfaces/cli-list.test.ts",
        test: "`list --connect` connects to allowed servers and reports why others failed",
      },
    },
    {
      id: "opencode-11.05",
      kind: "command",
      milestone: 6,
      promise: 'In the chat, `Use custom_tool with input "test"` makes the model call the tool.',
      shownBy: {
        file: "test/surfaces/tui/chat.test.ts",
        test: "uses a tool of a real server and reports the result: %s",
      },
    },
  ]),
  ...inSection("MCP vs Native Tools", [
    {
      id: "opencode-12.01",
      kind: "rule",
      milestone: 1,
      promise: "A server is an external process or a remote service, in any language.",
      shownBy: { file: "test/flow/call.test.ts", test: "over %s in revision %s" },
    },
    {
      id: "opencode-12.02",
      kind: "rule",
      milestone: 3,
      promise: "A server may come from npm, as a Docker image or as a binary.",
      deviation:
        "The image is not shown: a stand-in program checks the arguments and variables that `docker` is given, because no container engine runs in the tests.",
      shownBy: {
        file: "test/flow/where-servers-come-from.test.ts",
        test: "a server can be an npm package, an image or a program",
      },
    },
    {
      id: "opencode-12.03",
      kind: "rule",
      milestone: 3,
      promise: "Notifications reload a server's tools without a restart.",
      shownBy: {
        file: "test/flow/events-and-session.test.ts",
        test: "the tools of a server that announces a change are read again, and the event names the server",
      },
    },
    {
      id: "opencode-12.04",
      kind: "rule",
      milestone: 3,
      promise: "A process boundary isolates the host from its servers.",
      deviation: "A server that dies, floods or hangs affects no other server.",
      shownBy: {
        file: "test/flow/crash-and-close.test.ts",
        test: "fails that call immediately, with its exit code and last output",
      },
    },
  ]),
];
