/**
 * The lines of `npm run score`, by theme. A new line is an entry here and a `report(line, passed, total)` in the tests that earn it;
 * what several of them report adds up.
 *
 * A line is met when its total is at least `goal` and all of it passed; with `share`, when that share of it did; with `most`,
 * when no more than that is taken.
 */
export const THEMES = [
  {
    theme: "Connections",
    lines: [
      {
        line: "conformance scenarios required of a client, 2025-11-25",
        goal: 18,
        tests: ["test/auth/conformance.score.ts"],
      },
      {
        line: "conformance scenarios required of a client, 2026-07-28",
        goal: 32,
        tests: ["test/auth/conformance.score.ts"],
      },
      {
        line: "conformance scenarios of extensions, and later ones, on both wires",
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
        line: "knowable failures reported in under 250 ms",
        goal: 40,
        tests: ["test/faults/measured.test.ts"],
      },
      {
        line: "faults without a stall of the event loop over 250 ms",
        goal: 70,
        tests: ["test/faults/measured.test.ts"],
      },
      { line: "faults with less than 128 MB of growth", goal: 70, tests: ["test/faults/measured.test.ts"] },
      {
        line: "start/stop cycles over every way a host ends, no process left",
        goal: 2_400,
        tests: ["test/faults/cycles.test.ts"],
      },
      {
        line: "scenarios × calls to the world outside that fail: no crash, no orphan, files whole, locks free",
        goal: 4_900,
        tests: ["test/torture/torture.test.ts"],
      },
    ],
  },
  {
    theme: "Files and state",
    lines: [
      {
        line: "writers killed (`kill -9`) while they add servers, nothing lost",
        goal: 1_000,
        tests: ["test/durability/kill.test.ts"],
      },
      {
        line: "writers killed while they keep secrets, approvals, pins and lists of tools, no row lost",
        goal: 200,
        tests: ["test/durability/kill-state.test.ts"],
      },
      {
        line: "servers added on a full disk, the old file whole",
        goal: 200,
        tests: ["test/durability/full-disk.test.ts"],
      },
      {
        line: "servers added by eight processes at once, all there",
        goal: 800,
        tests: ["test/durability/at-once.test.ts"],
      },
      {
        line: "rows of state kept by eight processes at once, all there",
        goal: 800,
        tests: ["test/durability/at-once.test.ts"],
      },
      {
        line: "mutated config files read: no crash, no hang, no polluted prototype",
        goal: 100_000,
        tests: ["test/durability/mutated-configs.test.ts"],
      },
      {
        line: "config files read as their owners read them",
        goal: 60,
        tests: ["test/discovery/manifest.test.ts", "test/discovery/broken-files.test.ts"],
      },
    ],
  },
  {
    theme: "Sign-in",
    lines: [
      {
        line: "sign-ins renewed by eight processes at once, one of them killed: none lost, one request each time",
        goal: 50,
        tests: ["test/auth/renewal-race.test.ts"],
      },
      {
        line: "attacks on a sign-in, each refused for its reason, nobody else asked",
        goal: 40,
        tests: ["test/auth/attacks.test.ts"],
      },
      {
        line: "forged callbacks, turned away, nothing of them believed or shown",
        goal: 19,
        tests: ["test/auth/attacks.test.ts", "src/auth/flows/callback.lazy.test.ts"],
      },
      {
        line: "addresses handed to the browser: one word for no shell, and nothing but the web",
        goal: 20,
        tests: ["src/platform/node/browser.lazy.test.ts"],
      },
      {
        line: "addresses on the inside, by every spelling and every URL that a sign-in follows, none asked",
        goal: 396,
        tests: ["src/auth/discovery/plan-sign-in.test.ts"],
      },
      {
        line: "secrets looked for in everything that is shown or kept, by every way in, none found",
        goal: 800,
        tests: ["test/flow/canary.test.ts"],
      },
    ],
  },
  {
    theme: "Hostile input",
    lines: [
      {
        line: "hostile configs of projects: nothing started, connected to, opened or filled in",
        goal: 60,
        tests: ["test/hostile/configs.test.ts"],
      },
      {
        line: "single changes of an approved launch or a pinned tool, each noticed",
        goal: 400,
        tests: ["test/hostile/mutations.test.ts"],
      },
      {
        line: "payloads for a terminal, spelled out by every command that could show them",
        goal: 40,
        tests: ["test/hostile/terminal.test.ts"],
      },
      {
        line: "bombs sent by servers: survived, within 250 ms and 128 MB",
        goal: 30,
        tests: ["test/faults/measured.test.ts"],
      },
      {
        line: "values checked against schemas and patterns that explode, within 250 ms",
        goal: 20,
        tests: ["src/bridge/check/check-value.test.ts"],
      },
      {
        line: "schemas that explode, made fit for each provider within 250 ms and 1 MB",
        goal: 16,
        tests: ["test/adapters/schemas.test.ts"],
      },
      {
        line: "fuzz inputs, 100,000 for each parser: none makes it throw, hang or lie",
        goal: 900_000,
        tests: ["test/fuzz/fuzz.test.ts"],
      },
    ],
  },
  {
    theme: "Approval, execution and leaks",
    lines: [
      {
        line: "hostile home folders, switches, code caches and huge files: nothing run, nothing read whole",
        goal: 63,
        tests: [
          "test/hostile/home.test.ts",
          "test/hostile/switches.test.ts",
          "test/hostile/code-cache.test.ts",
          "test/hostile/big-files.test.ts",
        ],
      },
      {
        line: "values of every source, position and length, shown nowhere",
        goal: 20,
        tests: ["test/hostile/value-leaks.test.ts"],
      },
      {
        line: "changes of reader, entry or env file after an approval, each asks again",
        goal: 48,
        tests: ["test/flow/approval-reader.test.ts", "test/flow/approval-env-file.test.ts"],
      },
      {
        line: "launches in a hostile folder: only code that the entry identifies runs",
        goal: 38,
        tests: [
          "test/flow/launch-from-projects.test.ts",
          "test/flow/launch-package-runners.test.ts",
          "test/flow/launch-interpreters.test.ts",
        ],
      },
      {
        line: "sign-ins that stay with their server, and addresses inside that are shown or refused",
        goal: 39,
        tests: ["test/auth/sign-in-owner.test.ts", "test/auth/inside-addresses.test.ts"],
      },
      {
        line: "configs loaded through compat: nothing runs without approval",
        goal: 29,
        tests: ["test/flow/compat-sources.test.ts"],
      },
      {
        line: "servers that hang, replaced or kept as they should be",
        goal: 17,
        tests: ["test/flow/unresponsive.test.ts"],
      },
      {
        line: "floods of server requests: few replies, few connections",
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
        line: "locks shared by containers, hosts and suspended processes, none stolen",
        goal: 12,
        tests: ["src/documents/file-lock-processes.test.ts"],
      },
    ],
  },
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
        line: "pairs of server and tool named: no two alike, each led back to its tool",
        goal: 1_000_000,
        tests: ["test/durability/tool-names.test.ts"],
      },
      {
        line: "requests that share a word with a tool, kept apart: it is among the first five",
        goal: 50,
        share: 0.95,
        tests: ["test/flow/published-tools.score.ts"],
      },
      {
        line: "requests in synonyms only, kept apart: it is among the first five",
        goal: 50,
        share: 0.6,
        tests: ["test/flow/published-tools.score.ts"],
      },
      {
        line: "tokens of the meta tools, of those of all definitions",
        goal: 20_000,
        most: 2_000,
        tests: ["test/flow/published-tools.score.ts"],
      },
    ],
  },
];
