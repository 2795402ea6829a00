import { inSection, type SeedRow } from "./seed-row.ts";

/** Sections 2 and 3, ids without prefix. `folder` is the product's own config folder. */
export function discoveryAndValueRows(folder: string): readonly SeedRow[] {
  return [
    ...inSection("Capability-based discovery", [
      {
        id: "2.01",
        kind: "rule",
        milestone: 2,
        promise: "Servers of all providers are loaded through one capability into one list.",
        shownBy: {
          file: "test/flow/other-tools.test.ts",
          test: "the servers of all tools are in one list, in the order of the tools",
        },
      },
      {
        id: "2.02",
        kind: "rule",
        milestone: 2,
        promise: "Providers are loaded in the order of their priority.",
        deviation: "Settings can turn providers off and reorder them.",
        shownBy: {
          file: "test/flow/other-tools.test.ts",
          test: "disable tools and set the order of others",
        },
      },
      {
        id: "2.03",
        kind: "rule",
        milestone: 1,
        promise: "Servers are deduplicated by name and the first, of the highest priority, wins.",
        deviation: "A project declaration that is not approved never takes a user's name.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "a server that the program defines takes precedence over one with the same name in a file",
        },
      },
      {
        id: "2.04",
        kind: "rule",
        milestone: 2,
        promise: "Validation comes after deduplication, so that an invalid winner still owns its name.",
        deviation: "Its problem names the valid entry it hides.",
        shownBy: {
          file: "src/inventory/merge.test.ts",
          test: "%s, and its problem mentions the valid entry that it hides",
        },
      },
      {
        id: "2.05",
        kind: "rule",
        milestone: 1,
        promise:
          "Duplicate names across sources are not merged: one definition wins whole, the others are shadowed.",
        deviation: "The shadowed ones stay visible with `list --all`.",
        shownBy: {
          file: "test/surfaces/cli-list.test.ts",
          test: "marks shadowed entries in JSON with the location of the winner",
        },
      },
    ]),
    ...inSection("`.mcp.json` and related files", [
      {
        id: "2.06",
        kind: "name",
        milestone: 1,
        promise:
          "The fallback provider reads `mcp.json` and `.mcp.json` in the project root, at low priority.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "a server that only the root %s defines is usable once it is approved",
        },
      },
      {
        id: "2.07",
        kind: "rule",
        milestone: 2,
        promise: `A server in \`${folder}/\` beats one of the same name in the root \`mcp.json\` or \`.mcp.json\`.`,
        deviation: `Plugboard's own file ranks above \`${folder}/\`.`,
        shownBy: {
          file: "test/flow/other-tools.test.ts",
          test: "refers to the entry of %s before that of the root mcp.json and .mcp.json",
        },
      },
      {
        id: "2.08",
        kind: "rule",
        milestone: 2,
        promise: "A server in another tool's config folder beats one of the same name in the root files.",
        deviation:
          "Where Claude Code accepts an entry of `.mcp.json`, its own project file, that ranks with Claude Code.",
        shownBy: {
          file: "test/flow/other-tools.test.ts",
          test: "refers to the entry of %s before that of the root mcp.json",
        },
      },
      {
        id: "2.09",
        kind: "name",
        milestone: 2,
        promise: `The project's servers are read from \`${folder}/mcp.json\`.`,
        shownBy: { file: "test/flow/other-tools.test.ts", test: "the project's %s, once approved" },
      },
      {
        id: "2.10",
        kind: "name",
        milestone: 2,
        promise: `The user's servers are read from \`~/${folder}/mcp.json\`.`,
        deviation: `The path the program itself uses, \`~/${folder}/agent/mcp.json\`, is read too.`,
        shownBy: { file: "test/flow/other-tools.test.ts", test: "the user's ~/%s, immediately" },
      },
      {
        id: "2.11",
        kind: "rule",
        milestone: 1,
        promise: "A server that only the root `mcp.json` or `.mcp.json` defines is usable.",
        deviation: "After the person approved its launch, as for every project file.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "a server that only the root %s defines is usable once it is approved",
        },
      },
      {
        id: "2.12",
        kind: "rule",
        milestone: 1,
        promise: "Reusing a server name in several sources shadows by precedence and never merges.",
        shownBy: {
          file: "test/surfaces/cli-list.test.ts",
          test: "marks shadowed entries in JSON with the location of the winner",
        },
      },
    ]),
    ...inSection("Normalization behavior", [
      {
        id: "2.13",
        kind: "rule",
        milestone: 1,
        promise:
          "The transport is the declared one, else stdio with `command`, else http with `url`, else stdio.",
        deviation: "The reason for the inferred transport is kept and shown.",
        shownBy: {
          file: "test/flow/program-servers.test.ts",
          test: "the transport is the declared one, or else inferred from the other fields",
        },
      },
      {
        id: "2.14",
        kind: "rule",
        milestone: 1,
        promise: "A server with `enabled` equal to `false` is dropped before connecting.",
        deviation: "It stays listed as disabled and still owns its name.",
        shownBy: {
          file: "test/flow/misuse.test.ts",
          test: "the errors for a disabled and an invalid server explain why they cannot be used",
        },
      },
      {
        id: "2.15",
        kind: "rule",
        milestone: 1,
        promise: "Optional fields that are present survive normalization.",
        shownBy: {
          file: "test/surfaces/cli-list.test.ts",
          test: "`list --json` prints exactly this document",
        },
      },
    ]),
    ...inSection("Environment expansion during discovery", [
      {
        id: "2.16",
        kind: "name",
        milestone: 5,
        promise: "`expandEnvVarsDeep()` expands placeholders in every string field.",
        shownBy: {
          file: "src/compat/config-values.test.ts",
          test: "expandEnvVarsDeep resolves texts at any depth and keeps unset variables",
        },
      },
      {
        id: "2.17",
        kind: "rule",
        milestone: 1,
        promise: "`${VAR}` is replaced by the variable's value.",
        deviation: "A project file gets no value from the environment before it is approved.",
        shownBy: {
          file: "test/flow/environment-and-secrets.test.ts",
          test: "contains the values of variables that its entry names",
        },
      },
      {
        id: "2.18",
        kind: "rule",
        milestone: 1,
        promise: "`${VAR:-default}` falls back to the default.",
        deviation: "In native files also where the variable is set but empty.",
        shownBy: {
          file: "test/flow/environment-and-secrets.test.ts",
          test: "contains the values of variables that its entry names",
        },
      },
      {
        id: "2.19",
        kind: "rule",
        milestone: 1,
        promise: "A placeholder that cannot be resolved stays the literal `${VAR}`.",
        deviation:
          "It is a problem shown to the user, and an env or header value that still holds one is left out.",
        shownBy: {
          file: "test/flow/environment-and-secrets.test.ts",
          test: "an unset variable stays as written, except in env and headers",
        },
      },
      {
        id: "2.20",
        kind: "rule",
        milestone: 1,
        promise: "A value of the wrong type for `enabled` or `timeout` gives a warning and is ignored.",
        shownBy: {
          file: "test/surfaces/cli-bad-config.test.ts",
          test: "with one wrong field is used without it, and the field is reported with its position",
        },
      },
      {
        id: "2.21",
        kind: "rule",
        milestone: 1,
        promise: "A wrong value in one entry never fails the whole file.",
        deviation: "Where the owning tool would refuse the whole file, that is said beside it.",
        shownBy: {
          file: "test/surfaces/cli-bad-config.test.ts",
          test: "%s is reported as invalid with its position, and the others work",
        },
      },
    ]),
    ...inSection("3) Auth and runtime value resolution", [
      {
        id: "3.01",
        kind: "rule",
        milestone: 4,
        promise: "Credentials and values are resolved in one last pass before connecting.",
        shownBy: {
          file: "test/flow/secret-values.test.ts",
          test: "can be a command, a variable's name, a stored secret, a file, or plain text, and is resolved when the server starts",
        },
      },
    ]),
    ...inSection("OAuth credential injection", [
      {
        id: "3.02",
        kind: "name",
        milestone: 4,
        promise: 'The config names a stored credential as `auth: { type: "oauth", credentialId: "..." }`.',
        shownBy: {
          file: "test/auth/clients.test.ts",
          test: "is sent to its server as a header, and to a program as OAUTH_ACCESS_TOKEN",
        },
      },
      {
        id: "3.03",
        kind: "name",
        milestone: 4,
        promise: "An http or sse server gets the header `Authorization: Bearer <access_token>`.",
        deviation: "http is shown by 3.04.",
        shownBy: {
          file: "test/auth/sse.test.ts",
          test: "an sse server gets its token on the stream and on every message",
        },
      },
      {
        id: "3.04",
        kind: "name",
        milestone: 4,
        promise: "A stdio server gets the environment variable `OAUTH_ACCESS_TOKEN`.",
        shownBy: {
          file: "test/auth/clients.test.ts",
          test: "is sent to its server as a header, and to a program as OAUTH_ACCESS_TOKEN",
        },
      },
      {
        id: "3.05",
        kind: "rule",
        milestone: 4,
        promise: "A credential that cannot be found gives a warning, and connecting continues without it.",
        shownBy: {
          file: "test/auth/clients.test.ts",
          test: "that is missing or has no ID is reported, and the rest continues",
        },
      },
    ]),
    ...inSection("Header/env value resolution", [
      {
        id: "3.06",
        kind: "name",
        milestone: 5,
        promise: "`resolveConfigValue()` resolves one header or env value.",
        shownBy: {
          file: "src/compat/config-values.test.ts",
          test: "treats a value as the name of a variable first, then as plain text",
        },
      },
      {
        id: "3.07",
        kind: "rule",
        milestone: 4,
        promise: "Every header and env value is resolved before connecting.",
        deviation:
          "In native, omp, xcsh, pisces and root `mcp.json` files, for the user tier or an approved launch only.",
        shownBy: {
          file: "test/flow/secret-values.test.ts",
          test: "of %s is run only after its server was approved with exactly that value",
        },
      },
      {
        id: "3.08",
        kind: "rule",
        milestone: 4,
        promise: "A value that starts with `!` runs as a shell command and becomes its trimmed stdout.",
        deviation: "Bounded to 10 s and 64 KB, without a terminal.",
        shownBy: { file: "src/values/value-commands.test.ts", test: "a command %s" },
      },
      {
        id: "3.09",
        kind: "rule",
        milestone: 4,
        promise: "The output of a `!` command is cached.",
        deviation: "On success for the process; failures are backed off and concurrent runs share one.",
        shownBy: {
          file: "src/values/value-commands.test.ts",
          test: "successes are cached, and concurrent requests share one run",
        },
      },
      {
        id: "3.10",
        kind: "rule",
        milestone: 4,
        promise:
          "Any other value is tried as the name of an environment variable first and taken literally second.",
        shownBy: {
          file: "test/flow/secret-values.test.ts",
          test: "can be a command, a variable's name, a stored secret, a file, or plain text, and is resolved when the server starts",
        },
      },
      {
        id: "3.11",
        kind: "rule",
        milestone: 4,
        promise: "A value that stays unresolved is left out of the headers or environment.",
        shownBy: { file: "test/flow/secret-values.test.ts", test: "by doctor's check and by test" },
      },
      {
        id: "3.12",
        kind: "rule",
        milestone: 4,
        promise: "A mistyped secret command or variable explains the 401, 403 or failed start that follows.",
        deviation: "The seed drops it silently; here `doctor`, `test` and the hint of the failure name it.",
        shownBy: { file: "test/flow/secret-values.test.ts", test: "by the hint of the 401 that follows" },
      },
    ]),
  ];
}
