/**
 * `npm run prove`: checks that the tests of fixed vulnerabilities fail without the fix. Tests and modules are moved and renamed
 * later, so today's tests would fail on old sources for other reasons. Each proof therefore uses the tests and the table of
 * threats of the commit that completed the fixes, and the sources of the commit before them (`failsBefore`). Prints the threat,
 * the test and its outcome. Exits with 1 if a test passes without the fix.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createViteServer } from "vitest/node";

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);

/**
 * The reviews: the commit before their fixes, and the commit with the fixes and their tests. Rows with another `failsBefore` are
 * proved with today's tests.
 */
const REVIEWS = [
  { before: "505e8c0", after: "aa1bbf5" },
  { before: "9d25cc3", after: "9768156e" },
  { before: "9d25cc3", after: "ba21d27e" },
  { before: "74e4486", after: "1bef1f71" },
  { before: "a7217ad5", after: "b0011f44", calledThen: "963aaa7" }, // its commits were rewritten later
  { before: "e9fb46e", after: "14238e89" },
  { before: "a7e39ff", after: "53118d12" },
  { before: "ee4f0be9", after: "a6c8eaea" },
  { before: "cce32dd", after: "6320a9a" },
  { before: "6320a9a", after: "2208d478" },
  { before: "b2fb9a65", after: "72599340" },
  { before: "4f9df4b2", after: "2b2fd62b" },
  { before: "3688d5bd", after: "c2d634fe" },
  { before: "20958410", after: "f9aa868d" },
];

/** The folder with the installed packages, by lock file. */
const packages = new Map();

const wanted = process.argv.slice(2);
const outcomes = [];
const known = new Set(REVIEWS.map(({ before }) => before));
const later = (await readRows(root)).map(({ failsBefore }) => failsBefore).filter((id) => !known.has(id));
for (const review of [...REVIEWS, ...[...new Set(later)].map((before) => ({ before, after: "HEAD" }))])
  if (wanted.length === 0 || wanted.includes(review.after)) outcomes.push(...(await proveReview(review)));
const unproven = outcomes.filter(({ outcome }) => outcome !== "failed" && outcome !== "not loaded");
console.log(`\n${outcomes.length - unproven.length} of ${outcomes.length} tests fail without their fix.`);
process.exitCode = unproven.length === 0 ? 0 : 1;
for (const folder of packages.values()) rmSync(folder, { recursive: true, force: true });

async function proveReview({ before, after, calledThen = before }) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-prove-"));
  const [old, fixed] = [join(folder, "old"), join(folder, "fixed")];
  try {
    run("git", ["worktree", "add", "--detach", "--quiet", old, before]);
    run("git", ["worktree", "add", "--detach", "--quiet", fixed, after]);
    copyTests(fixed, old);
    symlinkSync(packagesOf(old), join(old, "node_modules"), "junction");
    run(process.execPath, ["scripts/build.mjs"], old);
    const rows = (await readRows(fixed)).filter(({ failsBefore }) => failsBefore.startsWith(calledThen));
    return judge(rows, old, join(folder, "results.json"));
  } finally {
    for (const tree of [old, fixed]) spawnSync("git", ["worktree", "remove", "--force", tree]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the tests of fixed threats through Vite, because this Node may not support TypeScript. */
async function readRows(tree) {
  const server = await createViteServer({
    root: tree,
    configFile: false,
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    logLevel: "error",
  });
  try {
    const { THREATS } = await server.ssrLoadModule("/test/hostile/threats/index.ts");
    return Object.values(THREATS)
      .flat()
      .flatMap(({ id, shownBy }) => shownBy.map((shown) => ({ id, ...shown })))
      .filter(({ failsBefore }) => failsBefore !== undefined);
  } finally {
    await server.close();
  }
}

/** Prints each row at once, because the whole table takes long. */
function judge(rows, tree, output) {
  const files = [...new Set(rows.map(({ file }) => file))];
  return files.flatMap((file) => {
    const mine = rows.filter((row) => row.file === file);
    const results = runTests(tree, { file, titles: mine.map(({ test }) => test), output });
    return mine.map((row) => {
      const outcome = outcomeOf(row.test, results);
      console.log(`${row.id.padEnd(4)} ${outcome.padEnd(10)} ${file}: ${row.test}`);
      return { ...row, outcome };
    });
  });
}

/** Returns the packages that the sources of that time were built with: today's, unless the lock file differs. */
function packagesOf(tree) {
  const lock = readFileSync(join(tree, "package-lock.json"), "utf8");
  if (lock === readFileSync("package-lock.json", "utf8")) return join(root, "node_modules");
  const known = packages.get(lock) ?? mkdtempSync(join(tmpdir(), "plugboard-packages-"));
  if (!packages.has(lock)) {
    packages.set(lock, known);
    for (const file of ["package.json", "package-lock.json"]) cpSync(join(tree, file), join(known, file));
    run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], known);
  }
  return join(known, "node_modules");
}

/** Copies the tests of one tree to another, and the files that they need besides the sources. */
function copyTests(from, to) {
  cpSync(join(from, "test"), join(to, "test"), { recursive: true });
  for (const name of readdirSync(join(to, "test", "consumers"))) {
    const inside = join("test", "consumers", name, "node_modules");
    if (existsSync(inside)) symlinkSync(join(root, inside), join(to, inside), "junction");
  }
  cpSync(join(from, "vitest.config.ts"), join(to, "vitest.config.ts"));
  for (const name of readdirSync(join(from, "src"), { recursive: true }))
    if (name.endsWith(".test.ts"))
      cpSync(join(from, "src", name), join(to, "src", name), { recursive: true });
}

/** Runs the tests with these titles, and those whose titles contain them. */
function runTests(tree, { file, titles, output }) {
  rmSync(output, { force: true });
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const options = [`-t=${titles.map(patternOf).join("|")}`, "--reporter=json", `--outputFile=${output}`];
  spawnSync(process.execPath, [vitest, "run", file, ...options], {
    cwd: tree,
    env: { ...process.env, PLUGBOARD_SKIP_BUILD: "1" },
    stdio: "ignore",
    timeout: 600_000,
  });
  try {
    return JSON.parse(readFileSync(output, "utf8")).testResults.flatMap(
      ({ assertionResults }) => assertionResults,
    );
  } catch {
    return []; // the run hung
  }
}

/** `%s` and the like stand for a value. */
function patternOf(title) {
  return title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/%[sjdio#]/g, ".*");
}

/** A file without results could not be loaded, because it imports modules of the fix, or it hung. */
function outcomeOf(title, results) {
  if (results.length === 0) return "not loaded";
  const pattern = new RegExp(`^${patternOf(title)}$`, "s");
  const mine = results.filter((result) => pattern.test(result.title));
  if (mine.length === 0) return "missing";
  return mine.some(({ status }) => status === "failed") ? "failed" : "passed";
}

function run(command, args, cwd = root) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${dirname(cwd)}: ${stderr}`);
}
