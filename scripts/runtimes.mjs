/**
 * `npm run runtimes`: runs the unit and flow tests, and the packed package in an empty folder, on every supported Node
 * and on Bun, and the packed package on Deno. Also installs a clean clone of the last commit with every Node, from an empty npm
 * cache. `npm run runtimes -- 22 bun` selects runtimes; `--tests`, `--package` or `--install` selects one part. `--whole` runs all tests; `--only <text>` runs those whose path contains the text. Prints one table. Exits with 1 if
 * something failed.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installRuntime } from "./runtimes/install-runtime.mjs";
import { runTests } from "./runtimes/run-tests.mjs";
import { tryInstall } from "./runtimes/try-install.mjs";
import { tryPackage } from "./runtimes/try-package.mjs";

/** The oldest and newest version of each release line that `engines` allows. */
const RUNTIMES = [
  { kind: "node", version: "20.19.0" },
  { kind: "node", version: "20.20.2" },
  { kind: "node", version: "22.12.0" },
  { kind: "node", version: "22.23.3" },
  { kind: "node", version: "24.21.0" },
  { kind: "node", version: "26.10.0" },
  { kind: "bun", version: "1.4.4" },
  { kind: "deno", version: "2.9.6" },
];
const NAMES = { node: "Node", bun: "Bun", deno: "Deno" };

const root = fileURLToPath(new URL("../", import.meta.url));
const announce = (text) => process.stderr.write(`${text}\n`);

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "boolean", default: false },
    package: { type: "boolean", default: false },
    install: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
  },
});
const runsAll = !options.tests && !options.package && !options.install;
const chosen = RUNTIMES.filter(
  ({ kind, version }) =>
    words.length === 0 || words.some((word) => word === kind || `${version}.`.startsWith(`${word}.`)),
);
if (chosen.length === 0) {
  console.error(`Unknown runtime: ${words.join(", ")}. Choose from: ${RUNTIMES.map(nameOf).join(", ")}.`);
  process.exit(2);
}
const paths = options.only ?? (options.whole ? [] : ["src", "test/flow"]);
const scratch = mkdtempSync(join(tmpdir(), "plugboard-runtimes-"));
const rows = [];
try {
  const tarball = pack();
  for (const runtime of chosen) {
    const { program, failure } = await installRuntime(runtime, announce);
    if (failure !== undefined) {
      rows.push({ runtime, what: "install", passed: 0, total: 1, problems: [failure] });
      continue;
    }
    if ((runsAll || options.install) && runtime.kind === "node") {
      announce(`${nameOf(runtime)}: installation`);
      rows.push({
        runtime,
        what: "installation",
        ...(await tryInstall(runtime, program, scratch, announce)),
      });
    }
    // Vitest does not run on Deno.
    if ((runsAll || options.tests) && runtime.kind !== "deno") {
      announce(`${nameOf(runtime)}: tests`);
      rows.push({ runtime, what: whatIsTested(), ...(await runTests(runtime, program, paths, scratch)) });
    }
    if (runsAll || options.package) {
      announce(`${nameOf(runtime)}: package`);
      rows.push({ runtime, what: "package", ...(await tryPackage(runtime, program, tarball, scratch)) });
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}
print(rows);
process.exitCode = rows.every(({ passed, total }) => passed === total && total > 0) ? 0 : 1;

/** Packs the package, which also builds it. */
function pack() {
  announce("packing");
  execFileSync("npm", ["pack", "--silent", "--pack-destination", scratch], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return join(scratch, `plugboard-${version}.tgz`);
}

function whatIsTested() {
  if (options.only !== undefined) return `tests of ${options.only.join(", ")}`;
  return options.whole ? "every test" : "unit and flow tests";
}

function nameOf({ kind, version }) {
  return `${NAMES[kind]} ${version}`;
}

function print(rows) {
  console.log("| runtime | what | passed | took |");
  console.log("| ------- | ---- | -----: | ---: |");
  for (const { runtime, what, passed, total, skipped = [], seconds } of rows) {
    const left = skipped.length > 0 ? `, ${skipped.length} not supported` : "";
    const took = seconds === undefined ? "" : `${seconds.toFixed(0)} s`;
    console.log(`| ${nameOf(runtime)} | ${what} | ${passed} of ${total}${left} | ${took} |`);
  }
  for (const { runtime, what, problems = [], skipped = [] } of rows) {
    for (const problem of problems) console.log(`\n✗ ${nameOf(runtime)}, ${what}: ${problem}`);
    for (const test of skipped) console.log(`\n${nameOf(runtime)}, ${what}: not supported: ${test}`);
  }
}
