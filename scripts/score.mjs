/**
 * `npm run score`: what `npm test` does a part of, in full. Prints one table and keeps it in `docs/score.md`. Exits with 1 when a
 * line misses its goal, when it is worse than the page says, or when a test that earns one fails.
 *
 * With words, only the lines with a test whose path holds them all are earned, and nothing is kept. A table with a line that became worse is
 * not kept either, unless `--keep` says that it shall be. The lines are in `score-lines.mjs`.
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
/** Longer than any of the files takes. */
const LONGEST_MS = 45 * 60_000;
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
  console.error(`No line is of a test whose path holds ${words.join(" and ")}.`);
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
  console.error("Worse than docs/score.md says; the page is kept as it was unless --keep is given.");
for (const test of failed) console.error(`${test} failed.`);
process.exitCode = rows.every(({ isMet }) => isMet) && !isWorse && failed.length === 0 ? 0 : 1;

/** Runs the tests at full size, one after the other, each by itself, and gathers what they report. */
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

/** Once for all; whoever has built already may say so. */
function build() {
  if (process.env.PLUGBOARD_SKIP_BUILD === "1") return;
  const program = join(root, "scripts", "build.mjs");
  const { status } = spawnSync(process.execPath, [program], {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error("The build failed, so nothing was measured.");
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

/** What is between the two markers; the text around them is written by people and stays. */
function keptText() {
  const document = readFileSync(page, "utf8");
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/score.md has lost its markers ${BEGIN} and ${END}`);
  return document.slice(from + BEGIN.length, to);
}

function keep(text) {
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(keptText(), () => `\n\n${text}\n\n`),
  );
}
