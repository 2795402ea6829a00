import { inSection, type SeedRow } from "./seed-row.ts";

/** Sections 6 and 7, ids without prefix. */
export const messageAndGuidanceRows: readonly SeedRow[] = [
  ...inSection("6) User-visible error surfaces", [
    {
      id: "6.01",
      kind: "message",
      milestone: 2,
      promise:
        "A definition that fails validation when adding or updating gives `Invalid server config: ...`.",
      shownBy: { file: "test/flow/writing-add.test.ts", test: "%s is refused" },
    },
    {
      id: "6.02",
      kind: "message",
      milestone: 2,
      promise: 'Adding a name that is taken gives `Server "<name>" already exists in <path>`.',
      shownBy: {
        file: "test/surfaces/cli-writing-add.test.ts",
        test: "a name that already exists, and says where",
      },
    },
    {
      id: "6.03",
      kind: "message",
      milestone: 2,
      promise: "A URL together with a command gives `Use either --url or -- <command...>, not both.`",
      shownBy: { file: "test/surfaces/cli-writing-add.test.ts", test: "%s is a usage error" },
    },
    {
      id: "6.04",
      kind: "message",
      milestone: 2,
      promise: "A token without a URL gives `--token requires --url (HTTP/SSE transport).`",
      deviation: "A literal token is refused with a hint unless `--plain` is given.",
      shownBy: { file: "test/surfaces/cli-writing-add.test.ts", test: "%s is a usage error" },
    },
    {
      id: "6.05",
      kind: "message",
      milestone: 3,
      promise: 'A connection or test that fails gives `Failed to connect to "<name>": <message>`.',
      shownBy: {
        file: "test/surfaces/cli-status.test.ts",
        test: "reports the cause of a timeout and gives advice",
      },
    },
    {
      id: "6.06",
      kind: "message",
      milestone: 3,
      promise: "The help for a time-out suggests a longer timeout.",
      deviation: "In the words `Try increasing the timeout`.",
      shownBy: {
        file: "test/surfaces/cli-status.test.ts",
        test: "reports the cause of a timeout and gives advice",
      },
    },
    {
      id: "6.07",
      kind: "message",
      milestone: 3,
      promise: "A 401 or 403 comes with help about authentication.",
      deviation: "In the words `Check your authentication credentials`.",
      shownBy: { file: "test/surfaces/cli-status.test.ts", test: "gives advice for an HTTP %s response" },
    },
    {
      id: "6.08",
      kind: "message",
      milestone: 4,
      promise:
        "A server that wants sign-in and cannot be discovered gives `Authentication required ... OAuth endpoints could not be discovered`.",
      deviation: "The whole sentence names the server and ends with what to type.",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "a server without OAuth endpoints gets its own error",
      },
    },
    {
      id: "6.09",
      kind: "message",
      milestone: 4,
      promise: "A sign-in nobody finishes gives `OAuth flow timed out. Please try again.`",
      shownBy: {
        file: "test/auth/sign-in.test.ts",
        test: "an unfinished sign-in ends after five minutes with an error",
      },
    },
    {
      id: "6.10",
      kind: "message",
      milestone: 4,
      promise: "A sign-in that fails gives `OAuth authentication failed: ...`.",
      shownBy: {
        file: "test/auth/attacks.test.ts",
        test: "with an error is escaped in the terminal and in the browser",
      },
    },
    {
      id: "6.11",
      kind: "message",
      milestone: 3,
      promise:
        'Using a disabled server fails with `Server "<name>" is disabled.` and the command that enables it.',
      deviation: "On the command line that command is `plugboard enable <name>`.",
      shownBy: {
        file: "test/surfaces/cli-status.test.ts",
        test: "suggests the command that enables a disabled server",
      },
    },
    {
      id: "6.12",
      kind: "message",
      milestone: 6,
      promise: 'In interactive mode it reads `Server "<name>" is disabled. Run /mcp enable <name> first.`',
      shownBy: {
        file: "test/surfaces/mcp-lines.test.ts",
        test: "enable and disable take effect immediately, and using a disabled server suggests the command",
      },
    },
    {
      id: "6.13",
      kind: "rule",
      milestone: 1,
      promise: "Bad JSON in a discovered file is a warning, not a failure.",
      deviation: "A problem with file, line and column, shown by `list`.",
      shownBy: {
        file: "test/surfaces/cli-bad-config.test.ts",
        test: "%s is reported with line and column, and the others work",
      },
    },
    {
      id: "6.14",
      kind: "rule",
      milestone: 2,
      promise: "Writing to a config file fails with an explicit error.",
      deviation: "A file that does not parse is never touched; the error names line and column.",
      shownBy: {
        file: "test/surfaces/cli-writing-add.test.ts",
        test: "to change a file that does not parse, and reports line and column",
      },
    },
  ]),
  ...inSection("7) Practical authoring guidance", [
    {
      id: "7.01",
      kind: "rule",
      milestone: 2,
      promise: "Server names ought to be unique across all sources; one that is not is pointed out.",
      deviation: "The seed only advises; `doctor` warns.",
      shownBy: { file: "test/flow/writing-explain.test.ts", test: "of a name that is in several files" },
    },
    {
      id: "7.02",
      kind: "rule",
      milestone: 2,
      promise:
        "Names of letters, digits and underscores are preferred; one that invites collisions is pointed out.",
      deviation: "The seed only advises; `doctor` warns.",
      shownBy: { file: "test/flow/writing-explain.test.ts", test: "of names that give tools the same names" },
    },
    {
      id: "7.03",
      kind: "rule",
      milestone: 2,
      promise: "An explicit `type` is preferred; a missing one is pointed out.",
      deviation: "The seed only advises; `doctor` warns, and `add` always writes the type.",
      shownBy: { file: "test/flow/writing-explain.test.ts", test: "of a missing type" },
    },
    {
      id: "7.04",
      kind: "rule",
      milestone: 1,
      promise: "`enabled: false` is hard-off: the server is never connected.",
      deviation: "But for a name the user forces on in `enabledServers`.",
      shownBy: {
        file: "test/flow/misuse.test.ts",
        test: "the errors for a disabled and an invalid server explain why they cannot be used",
      },
    },
    {
      id: "7.05",
      kind: "rule",
      milestone: 4,
      promise:
        "An OAuth config without a valid `credentialId` gets no token injected, and that is pointed out.",
      shownBy: {
        file: "test/auth/clients.test.ts",
        test: "that is missing or has no ID is reported, and the rest continues",
      },
    },
    {
      id: "7.06",
      kind: "rule",
      milestone: 4,
      promise: "A `!cmd` secret whose output is empty is pointed out.",
      deviation: "The seed only advises to verify it; `doctor` and `test` report it.",
      shownBy: { file: "test/flow/secret-values.test.ts", test: "by doctor's check and by test" },
    },
  ]),
];
