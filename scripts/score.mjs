/**
 * `npm run score`: runs the tests at full scale, of which `npm test` runs a part. Prints one table and saves it in `docs/score.md`. Exits with
 * 1 if a line misses its goal or is worse than the saved one, or if a test of a line fails.
 *
 * With arguments, runs only the lines with a test whose path contains all of them, and saves nothing. A table with a worse line is
 * saved only with `--keep`. The lines are in `score-lines.mjs`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, tmpdir, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { addUp, judge, readTable, render } from "./judge-score.mjs";
import { THEMES } from "./score-lines.mjs";

const [BEGIN, END] = ["<!-- score: begin -->", "<!-- score: end -->"];
/** Longer than any test file takes. */
const LONGEST_MS = 60 * 60_000;
const root = fileURLToPath(new URL("../", import.meta.url));
const page = join(root, "docs", "score.md");

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: "boolean", default: false } },
});
const isChosen = ({ tests }) => tests.some((test) => words.every((word) => test.includes(word)));
const themes = THEMES.map(({ theme, lines }) => ({ theme, lines: lines.filter(isChosen) })).filter(
  ({ lines }) => lines.length > 0,
);
if (themes.length === 0) {
  console.error(`No line has a test whose path contains ${words.join(" and ")}.`);
  process.exit(2);
}
const kept = readTable(keptText());
build();
const { results, failed } = measure([
  ...new Set(themes.flatMap(({ lines }) => lines.flatMap(({ tests }) => tests))),
]);
const judged = themes.map(({ theme, lines }) => ({
  theme,
  rows: lines.map((entry) => judge(entry, results.get(entry.line), kept.get(entry.line))),
}));
const table = `${render(judged)}\n\n${type()} ${arch()}, Node ${process.versions.node}.`;
console.log(table);

const rows = judged.flatMap((theme) => theme.rows);
const isWorse = rows.some((row) => row.isWorse);
if (words.length === 0 && (!isWorse || values.keep)) keep(table);
if (isWorse)
  console.error(
    "Some lines are worse than in docs/score.md. The page is not changed; to save them, add --keep.",
  );
for (const test of failed) console.error(`${test} failed.`);
process.exitCode = rows.every(({ isMet }) => isMet) && !isWorse && failed.length === 0 ? 0 : 1;

/** Runs the tests at full scale, one file at a time, and collects their results. */
function measure(tests) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-score-"));
  const file = join(folder, "lines");
  const began = Date.now();
  const failed = [];
  try {
    for (const [index, test] of tests.entries()) {
      const minutes = ((Date.now() - began) / 60_000).toFixed(1);
      console.error(`\n${index + 1} of ${tests.length}, after ${minutes} min: ${test}`);
      if (!run(test, file)) failed.push(test);
    }
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    return { results: addUp(lines.map((text) => JSON.parse(text))), failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds once for all tests. `PLUGBOARD_SKIP_BUILD=1` skips it. */
function build() {
  if (process.env.PLUGBOARD_SKIP_BUILD === "1") return;
  const program = join(root, "scripts", "build.mjs");
  const { status } = spawnSync(process.execPath, [program], {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error("The build failed. Nothing was measured.");
}

function run(test, file) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", test], {
    cwd: root,
    env: {
      // Every one of them would take longer than all else.
      ...process.env,
      DURABILITY: "whole",
      SCORE_FILE: file,
      PLUGBOARD_SKIP_BUILD: "1",
    },
    stdio: ["ignore", process.stderr, process.stderr],
    timeout: LONGEST_MS,
  });
  return status === 0;
}

/** Returns the text between the two markers. The text around them is not generated. */
function keptText() {
  const document = readFileSync(page, "utf8");
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/score.md has no markers ${BEGIN} and ${END}`);
  return document.slice(from + BEGIN.length, to);
}

function keep(text) {
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(keptText(), () => `\n\n${text}\n\n`),
  );
}
