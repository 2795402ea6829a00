import { GATEWAY_THEMES } from "./score-lines-gateway.mjs";

/**
 * The lines of `npm run score`, by theme. A new line needs an entry here and a `report(line, passed, total)` in its tests;
 * the results of several tests are summed.
 *
 * A line is met if its total is at least `goal` and all passed. With `share`, only that share must pass. With `most`,
 * the result must not exceed that number.
 */
export const THEMES = [
  {
    theme: "Connections",
    lines: [
      {
        line: "conformance scenarios required for clients, 2025-11-25",
        goal: 18,
        tests: ["test/auth/conformance.score.ts"],
      },
      {
        line: "conformance scenarios required for clients, 2026-07-28",
        goal: 32,
        tests: ["test/auth/conformance.score.ts"],
      },
      {
        line: "optional conformance scenarios, with both protocols",
        goal: 14,
        tests: ["test/auth/conformance.score.ts"],
      },
      { line: "stdio faults survived", goal: 40, tests: ["test/faults/measured.test.ts"] },
      {
        line: "HTTP and SSE faults survived, in both eras where they apply",
        goal: 30,
        tests: ["test/faults/measured.test.ts"],
      },
      {
        line: "detectable failures reported in under 250 ms",
        goal: 40,
        tests: ["test/faults/measured.test.ts"],
      },
      {
        line: "faults without an event-loop stall over 250 ms",
        goal: 70,
        tests: ["test/faults/measured.test.ts"],
      },
      {
        line: "faults with less than 128 MB of memory growth",
        goal: 70,
        tests: ["test/faults/measured.test.ts"],
      },
      {
        line: "start/stop cycles for every way a host can end: no process left",
        goal: 2_400,
        tests: ["test/faults/cycles.test.ts"],
      },
      {
        line: "hosts created, used and closed: no memory, descriptor, timer, process or listener is kept",
        goal: 2_000,
        tests: ["test/torture/leaks.test.ts"],
      },
      {
        line: "tasks whose host was killed (`kill -9`): results received, none executed twice",
        goal: 200,
        tests: ["test/flow/tasks-survive.test.ts"],
      },
      {
        line: "scenarios in which an outside call fails: no crash, no process left, files intact, locks free",
        goal: 4_900,
        tests: ["test/torture/torture.test.ts"],
      },
    ],
  },
  {
    theme: "Files and state",
    lines: [
      {
        line: "writers killed (`kill -9`) while adding servers: nothing lost",
        goal: 1_000,
        tests: ["test/durability/kill.test.ts"],
      },
      {
        line: "writers killed while saving secrets, approvals, pins and tool lists: no row lost",
        goal: 200,
        tests: ["test/durability/kill-state.test.ts"],
      },
      {
        line: "servers added on a full disk: the old file is intact",
        goal: 200,
        tests: ["test/durability/full-disk.test.ts"],
      },
      {
        line: "servers added by eight processes at once: none lost",
        goal: 800,
        tests: ["test/durability/at-once.test.ts"],
      },
      {
        line: "rows of state saved by eight processes at once: none lost",
        goal: 800,
        tests: ["test/durability/at-once.test.ts"],
      },
      {
        line: "mutated config files read: no crash, no hang, no polluted prototype",
        goal: 100_000,
        tests: ["test/durability/mutated-configs.test.ts"],
      },
      {
        line: "config files read as by their owners",
        goal: 60,
        tests: ["test/discovery/manifest.test.ts", "test/discovery/broken-files.test.ts"],
      },
    ],
  },
  {
    theme: "Sign-in",
    lines: [
      {
        line: "sign-ins renewed by eight processes at once, one of them killed: none lost, one request each",
        goal: 50,
        tests: ["test/auth/renewal-race.test.ts"],
      },
      {
        line: "attacks on a sign-in: refused for the right reason, no other host contacted",
        goal: 40,
        tests: ["test/auth/attacks.test.ts"],
      },
      {
        line: "forged callbacks: rejected, nothing in them used or shown",
        goal: 19,
        tests: ["test/auth/attacks.test.ts", "src/auth/flows/callback.lazy.test.ts"],
      },
      {
        line: "URLs opened in the browser: one argument, no shell, web pages only",
        goal: 20,
        tests: ["src/platform/node/browser.lazy.test.ts"],
      },
      {
        line: "internal addresses in every notation and every URL of a sign-in: none contacted",
        goal: 396,
        tests: ["src/auth/discovery/plan-sign-in.test.ts"],
      },
      {
        line: "secrets searched for in all output and saved files: none found",
        goal: 800,
        tests: ["test/flow/canary.test.ts"],
      },
    ],
  },
  {
    theme: "Hostile input",
    lines: [
      {
        line: "seeded bad packages stopped on a registry of our own",
        goal: 40,
        tests: ["test/hostile/packages.score.ts"],
      },
      {
        line: "seeded good packages that start on the same registry",
        goal: 40,
        tests: ["test/hostile/packages.score.ts"],
      },
      {
        line: "hostile project configs: nothing started, connected to, opened or filled in",
        goal: 60,
        tests: ["test/hostile/configs.test.ts"],
      },
      {
        line: "single changes to an approved launch or a pinned tool: all detected",
        goal: 400,
        tests: ["test/hostile/mutations.test.ts"],
      },
      {
        line: "terminal payloads: escaped by every command that can show them",
        goal: 40,
        tests: ["test/hostile/terminal.test.ts"],
      },
      {
        line: "bombs sent by servers: survived within 250 ms and 128 MB",
        goal: 30,
        tests: ["test/faults/measured.test.ts"],
      },
      {
        line: "values checked against schemas and patterns that explode, within 250 ms",
        goal: 20,
        tests: ["src/bridge/check/check-value.test.ts"],
      },
      {
        line: "schemas that explode, converted for each provider within 250 ms and 1 MB",
        goal: 16,
        tests: ["test/adapters/schemas.test.ts"],
      },
      {
        line: "fuzz inputs, 100,000 for each parser: no exception, hang or wrong result",
        goal: 900_000,
        tests: ["test/fuzz/fuzz.test.ts"],
      },
    ],
  },
  {
    theme: "Sandbox and supply chain",
    lines: [
      {
        line: "attacks from inside the default sandbox, as root and as a normal user: none succeeds, each does outside",
        goal: 120,
        tests: ["test/hostile/sandbox-users.score.ts"],
      },
      {
        line: "published servers with the same tools and result in the default sandbox, after one question at most",
        goal: 20,
        share: 0.9,
        tests: ["test/hostile/sandboxed-servers.score.ts"],
      },
      {
        line: "starts with the default sandbox: at most 20 ms or 1.2 × longer in the median",
        goal: 30,
        tests: ["test/hostile/sandbox-start.score.ts"],
      },
      {
        line: "attacks and uses of a server in a container, with an image of our own",
        goal: 10,
        tests: ["test/hostile/sandbox-image.score.ts"],
      },
      {
        line: "lock files of a hundred servers verified within a second",
        goal: 10,
        tests: ["test/surfaces/verify-time.score.ts"],
      },
    ],
  },
  {
    theme: "Approval, execution and leaks",
    lines: [
      {
        line: "hostile home folders, switches, code caches and huge files: no code run, no huge file read",
        goal: 63,
        tests: [
          "test/hostile/home.test.ts",
          "test/hostile/switches.test.ts",
          "test/hostile/code-cache.test.ts",
          "test/hostile/big-files.test.ts",
        ],
      },
      {
        line: "values of every source, position and length: never shown",
        goal: 20,
        tests: ["test/hostile/value-leaks.test.ts"],
      },
      {
        line: "changes of reader, entry or env file after an approval: all require approval again",
        goal: 48,
        tests: ["test/flow/approval-reader.test.ts", "test/flow/approval-env-file.test.ts"],
      },
      {
        line: "launches in a hostile folder: only code that the entry identifies is run",
        goal: 38,
        tests: [
          "test/flow/launch-from-projects.test.ts",
          "test/flow/launch-package-runners.test.ts",
          "test/flow/launch-interpreters.test.ts",
        ],
      },
      {
        line: "sign-ins used only for their server; internal addresses shown or refused",
        goal: 39,
        tests: ["test/auth/sign-in-owner.test.ts", "test/auth/inside-addresses.test.ts"],
      },
      {
        line: "configs loaded through compat: nothing is run without approval",
        goal: 29,
        tests: ["test/flow/compat-sources.test.ts"],
      },
      {
        line: "unresponsive servers: replaced, or kept if only slow",
        goal: 17,
        tests: ["test/flow/unresponsive.test.ts"],
      },
      {
        line: "floods of server requests: limited replies and connections",
        goal: 16,
        tests: ["test/flow/floods.test.ts"],
      },
      {
        line: "heavy tool lists inspected or refused without a stall over 250 ms",
        goal: 44,
        tests: ["test/hostile/definitions-do-not-block.score.ts"],
      },
      {
        line: "heavy messages handled without a stall over 250 ms",
        goal: 73,
        tests: ["test/hostile/messages-do-not-block.score.ts"],
      },
      {
        line: "locks shared by containers, hosts and suspended processes: none stolen",
        goal: 12,
        tests: ["src/documents/file-lock-processes.test.ts"],
      },
    ],
  },
  ...GATEWAY_THEMES,
  {
    theme: "First start",
    lines: [
      {
        line: "first starts of published servers on a slow network, from an empty npm cache",
        goal: 6,
        tests: ["test/flow/first-start.score.ts"],
      },
      {
        line: "hosts killed during an installation: the next start succeeds, with npx alone too",
        goal: 50,
        tests: ["test/flow/first-start.score.ts"],
      },
    ],
  },
  {
    theme: "Tools",
    lines: [
      {
        line: "names for pairs of server and tool: unique, and mapped back to their tool",
        goal: 1_000_000,
        tests: ["test/durability/tool-names.test.ts"],
      },
      {
        line: "new requests that share a word with a tool: tool in the first five",
        goal: 50,
        share: 0.95,
        tests: ["test/flow/published-tools.score.ts"],
      },
      {
        line: "new requests in synonyms only: tool in the first five",
        goal: 50,
        share: 0.6,
        tests: ["test/flow/published-tools.score.ts"],
      },
      {
        line: "tokens of the meta tools, compared with all definitions",
        goal: 20_000,
        most: 2_000,
        tests: ["test/flow/published-tools.score.ts"],
      },
      {
        line: "tokens of the three meta tools, with all servers of the benchmark and invented ones",
        goal: 131,
        most: 700,
        tests: ["test/bench/search.score.ts"],
      },
      {
        line: "tokens of the longest answer of a search, with all servers of the benchmark",
        goal: 400,
        most: 600,
        tests: ["test/bench/search.score.ts"],
      },
      {
        line: "microseconds of `host.search` with 4,000 tools, median",
        goal: 4_000,
        most: 2_000,
        tests: ["test/bench/search.score.ts"],
      },
      {
        line: "search requests that are older than every change of the ranking, according to Git",
        goal: 300,
        tests: ["test/bench/search.score.ts"],
      },
      {
        line: "published servers whose generated types and client type-check under strict",
        goal: 100,
        tests: ["test/surfaces/generated-code.score.ts"],
      },
    ],
  },
];
