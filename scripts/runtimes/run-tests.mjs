/** Runs the tests on one runtime. The same program is also the `node` on the tests' `PATH`. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs all tests, or those whose path contains one of the words. */
export async function runTests({ kind, version }, program, words, scratch) {
  const file = join(scratch, `tests-${kind}-${version}.json`);
  const started = performance.now();
  const { code, text } = await run(program, [
    ...(kind === "bun" ? ["--bun"] : []), // `node` on the `PATH` is Bun, too
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--reporter=json",
    `--outputFile=${file}`,
    ...words,
  ]);
  const seconds = (performance.now() - started) / 1_000;
  try {
    const { numTotalTests, numPassedTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
    const skipped = testResults.flatMap(skippedIn);
    const problems = testResults.flatMap(problemsIn);
    if (code !== 0 && problems.length === 0)
      problems.push(`vitest exited with ${code}: ${plain(text).slice(-500)}`);
    // A file that could not run, or that left a process behind, counts as failed.
    const wanted = numTotalTests - skipped.length;
    const total = problems.length > 0 && numPassedTests === wanted ? wanted + 1 : wanted;
    return { passed: numPassedTests, total, skipped, seconds, problems };
  } catch {
    return {
      passed: 0,
      total: 1,
      seconds,
      problems: [`vitest exited with ${code}: ${plain(text).slice(-500)}`],
    };
  }
}

function problemsIn({ name, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  return [
    ...(message ? [`${file}: ${firstLines(message)}`] : []),
    ...failed.map(
      ({ fullName, failureMessages }) => `${file}: ${fullName}\n  ${firstLines(failureMessages[0])}`,
    ),
  ];
}

/** Returns skipped tests. A comment above each states why the runtime does not support it. */
function skippedIn({ name, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status !== "passed" && status !== "failed")
    .map(({ fullName }) => `${relative(root, name)}: ${fullName}`);
}

function firstLines(text = "") {
  return plain(text).split("\n").slice(0, 4).join("\n  ").slice(0, 500);
}

function plain(text) {
  return stripVTControlCharacters(text).trim();
}

function run(program, args) {
  const env = {
    ...process.env,
    PATH: [dirname(program), process.env.PATH].join(delimiter),
    PLUGBOARD_SKIP_BUILD: "1", // packing has already built it
  };
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece) => (text = (text + piece).slice(-10_000)));
    child.once("error", (error) => resolve({ code: null, text: error.message }));
    child.once("close", (code) => resolve({ code, text }));
  });
}
