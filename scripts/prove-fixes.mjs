/**
 * `npm run prove`: checks that the tests of fixed vulnerabilities fail without the fix. Each such test names the commit before its fix
 * (`failsBefore` in test/hostile/threats). The script copies today's tests over that commit's sources, runs them, and prints
 * the threat, the test and its outcome. Exits with 1 if a test passes without the fix.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createViteServer } from "vitest/node";

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);

/** The folder with the installed packages, by lock file. */
const packages = new Map();

const rows = await readRows();
const commits = [...new Set(rows.map(({ failsBefore }) => failsBefore))];
const outcomes = commits.flatMap((commit) =>
  judge(
    commit,
    rows.filter((row) => row.failsBefore === commit),
  ),
);
for (const { id, file, test, outcome } of outcomes)
  console.log(`${id.padEnd(4)} ${outcome.padEnd(8)} ${file}: ${test}`);
const unproven = outcomes.filter(({ outcome }) => outcome !== "failed");
console.log(`\n${outcomes.length - unproven.length} of ${outcomes.length} tests fail without their fix.`);
process.exitCode = unproven.length === 0 ? 0 : 1;
for (const folder of packages.values()) rmSync(folder, { recursive: true, force: true });

/** Reads the threats through Vite, because this Node may not support TypeScript. */
async function readRows() {
  const server = await createViteServer({
    configFile: false,
    server: { middlewareMode: true, ws: false, watch: null },
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

function judge(commit, mine) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-prove-"));
  const tree = join(folder, "tree");
  try {
    run("git", ["worktree", "add", "--detach", "--quiet", tree, commit]);
    copyTests(tree);
    symlinkSync(packagesOf(tree), join(tree, "node_modules"), "junction");
    run(process.execPath, ["scripts/build.mjs"], tree);
    const files = [...new Set(mine.map(({ file }) => file))];
    return files.flatMap((file) => {
      console.error(`${commit}: ${file}`);
      const results = runTests(tree, file, join(folder, "results.json"));
      return mine
        .filter((row) => row.file === file)
        .map((row) => ({ ...row, outcome: outcomeOf(row.test, results) }));
    });
  } finally {
    spawnSync("git", ["worktree", "remove", "--force", tree]);
    rmSync(folder, { recursive: true, force: true });
  }
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

/** Copies today's tests, and the files that they need besides the sources. */
function copyTests(tree) {
  const isWanted = (path) => !path.includes("node_modules");
  cpSync("test", join(tree, "test"), { recursive: true, filter: isWanted });
  for (const name of readdirSync("test/consumers")) {
    const inside = join("test", "consumers", name, "node_modules");
    if (existsSync(inside)) symlinkSync(join(root, inside), join(tree, inside), "junction");
  }
  cpSync("vitest.config.ts", join(tree, "vitest.config.ts"));
  for (const name of readdirSync("src", { recursive: true }))
    if (name.endsWith(".test.ts")) cpSync(join("src", name), join(tree, "src", name), { recursive: true });
}

function runTests(tree, file, output) {
  rmSync(output, { force: true });
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  spawnSync(process.execPath, [vitest, "run", file, "--reporter=json", `--outputFile=${output}`], {
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

/** A file without results counts as failed: it could not be loaded, because it imports modules of the fix. */
function outcomeOf(title, results) {
  if (results.length === 0) return "failed";
  const pattern = new RegExp(
    `^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/%[sjdio#]/g, ".*")}$`,
    "s",
  );
  const mine = results.filter((result) => pattern.test(result.title));
  if (mine.length === 0) return "missing";
  return mine.some(({ status }) => status === "failed") ? "failed" : "passed";
}

function run(command, args, cwd = root) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${dirname(cwd)}: ${stderr}`);
}
