/**
 * `npm run score`: what `npm test` does a tenth of, in full. Prints one table, keeps it in `docs/score.md`, and exits with 1
 * when a line misses its goal. With words, only the tests whose path holds them are run, and nothing is kept. A new line is an entry here and a `report(line, passed, total)` in the test that earns it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, tmpdir, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ENTRIES = [
  {
    line: "writers killed (`kill -9`) while they add servers, nothing lost",
    goal: 1_000,
    test: "test/durability/kill.test.ts",
  },
  {
    line: "servers added on a full disk, the old file whole",
    goal: 200,
    test: "test/durability/full-disk.test.ts",
  },
  {
    line: "servers added by eight processes at once, all there",
    goal: 800,
    test: "test/durability/at-once.test.ts",
  },
  {
    line: "mutated config files read: no crash, no hang, no polluted prototype",
    goal: 100_000,
    test: "test/durability/mutated-configs.test.ts",
  },
  {
    line: "pairs of server and tool named: no two alike, each led back to its tool",
    goal: 1_000_000,
    test: "test/durability/tool-names.test.ts",
  },
  {
    line: "hostile configs of projects: nothing started, connected to, opened or filled in",
    goal: 60,
    test: "test/hostile/configs.test.ts",
  },
  {
    line: "single changes of an approved launch or a pinned tool, each noticed",
    goal: 400,
    test: "test/hostile/mutations.test.ts",
  },
  {
    line: "payloads for a terminal, spelled out by every command that could show them",
    goal: 40,
    test: "test/hostile/terminal.test.ts",
  },
  {
    line: "start/stop cycles over every way a host ends, no process left",
    goal: 2_400,
    test: "test/faults/cycles.test.ts",
  },
  { line: "stdio faults survived", goal: 40, test: "test/faults/measured.test.ts" },
  {
    line: "HTTP and SSE faults survived, in both eras where they apply",
    goal: 30,
    test: "test/faults/measured.test.ts",
  },
  { line: "knowable failures reported in under 250 ms", goal: 40, test: "test/faults/measured.test.ts" },
  {
    line: "faults without a stall of the event loop over 250 ms",
    goal: 70,
    test: "test/faults/measured.test.ts",
  },
  { line: "faults with less than 128 MB of growth", goal: 70, test: "test/faults/measured.test.ts" },
  {
    line: "sign-ins renewed by eight processes at once, one of them killed: none lost, one request each time",
    goal: 50,
    test: "test/auth/refresh-race.test.ts",
  },
];

const [BEGIN, END] = ["<!-- score: begin -->", "<!-- score: end -->"];
const root = fileURLToPath(new URL("../", import.meta.url));
const page = join(root, "docs", "score.md");

const words = process.argv.slice(2);
const chosen = ENTRIES.filter(({ test }) => words.every((word) => test.includes(word)));
if (chosen.length === 0) {
  console.error(`No line is of a test whose path holds ${words.join(" and ")}.`);
  process.exit(2);
}
const results = measure([...new Set(chosen.map(({ test }) => test))]);
const rows = chosen.map(({ line, goal }) => {
  const { passed = 0, total = 0, control = "", worst = "" } = results.get(line) ?? {};
  return { line, goal, passed, total, control, worst, isMet: passed === total && total >= goal };
});
const table = render(rows);
console.log(table);
if (words.length === 0) keep(table);
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1;

/** Runs the tests at full size, one after the other, and gathers what they report. */
function measure(tests) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-score-"));
  const file = join(folder, "lines");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  try {
    spawnSync(process.execPath, [vitest, "run", "--no-file-parallelism", ...tests], {
      cwd: root,
      env: { ...process.env, DURABILITY: "whole", SCORE_FILE: file },
      stdio: ["ignore", process.stderr, process.stderr],
    });
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    return new Map(lines.map((text) => JSON.parse(text)).map((result) => [result.line, result]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function render(rows) {
  return [
    "| what | result | | worst | bare SDK |",
    "| ---- | -----: | --- | ----: | -------: |",
    ...rows.map(
      ({ line, goal, passed, total, control, worst, isMet }) =>
        `| ${line} | ${passed} of ${Math.max(total, goal)} | ${isMet ? "met" : "**missed**"} | ${worst} | ${control} |`,
    ),
    "",
    `${type()} ${arch()}, Node ${process.versions.node}.`,
  ].join("\n");
}

/** Replaces what is between the two markers; the text around them is written by people and stays. */
function keep(text) {
  const document = readFileSync(page, "utf8");
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/score.md has lost its markers ${BEGIN} and ${END}`);
  writeFileSync(page, `${document.slice(0, from + BEGIN.length)}\n\n${text}\n\n${document.slice(to)}`);
}
