/**
 * `npm run conformance [-- word]`: the official suite judges a client built on the public API. Exits with 1 on any failure.
 * `--json` prints a list of scenarios with what came of them instead; `--client sdk-client.mjs` has the official client judged.
 * `--server` has the gateway judged as a server.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { scenariosOf, serverScenarios } from "./scenarios.mjs";

const TIMEOUT_MS = 120_000;
const here = dirname(fileURLToPath(import.meta.url));
const manifest = import.meta.resolve("@modelcontextprotocol/conformance/package.json");
const suite = dirname(fileURLToPath(manifest));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    client: { type: "string", default: "client.mjs" },
    server: { type: "boolean", default: false },
  },
});
const [wanted = ""] = positionals;
const tell = values.json ? console.error : console.log;

if (values.server) {
  await runServers();
  process.exit();
}
const { run, setAside } = scenariosOf(suite);
const chosen = run.filter(({ scenario }) => scenario.includes(wanted));
const outcomes = [];
for (const entry of chosen) {
  const outcome = await judge(entry);
  outcomes.push({ ...entry, ...outcome });
  tell(describe(entry, outcome));
}
const passed = outcomes.filter(({ isPassed }) => isPassed).length;
for (const because of new Set(setAside)) {
  tell(`set aside: ${setAside.filter((reason) => reason === because).length}, ${because}`);
}
tell(`${passed} of ${chosen.length}`);
if (values.json) console.log(JSON.stringify(outcomes));
process.exitCode = passed === chosen.length && chosen.length > 0 ? 0 : 1;

function judge({ scenario, revision, isExtension }) {
  return judgeWith([
    "client",
    `--command=${process.execPath} ${join(here, values.client)}`,
    `--scenario=${scenario}`,
    `--spec-version=${revision}`,
    ...(isExtension ? ["--force"] : []), // extensions belong to no revision
  ]);
}

async function judgeWith(words) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-conformance-"));
  try {
    const home = join(folder, "home");
    const { code, output } = await runSuite(home, [
      ...words,
      `--timeout=${TIMEOUT_MS}`,
      `--output-dir=${folder}`,
    ]);
    const checks = checksIn(folder);
    const count = (status) => checks.filter((check) => check.status === status).length;
    const [good, bad, warned] = [count("SUCCESS"), count("FAILURE"), count("WARNING")];
    const isPassed = code === 0 && good > 0 && bad === 0 && warned === 0;
    const complaints = checks
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map(({ id, errorMessage, description }) => `  ${id}: ${errorMessage ?? description}`);
    const why = isPassed ? [] : [...complaints, ...lastWords(output)];
    return { isPassed, good, bad, warned, why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the server scenarios. Those that a baseline names must fail. */
async function runServers() {
  const { judgeServers } = await import("./server.mjs");
  const named = (revision) => serverScenarios(suite, revision).filter((name) => name.includes(wanted));
  const found = await judgeServers(named, async ({ scenario, revision, url }) => {
    const words = ["server", `--url=${url}`, `--scenario=${scenario}`, `--spec-version=${revision}`];
    return judgeWith(words);
  });
  const isAsExpected = ({ isPassed, expected }) => isPassed === (expected === undefined);
  for (const one of found) {
    const { era, expected, isPassed } = one;
    const note = expected === undefined ? "" : ` (${isPassed ? "passes despite the baseline" : expected})`;
    tell(`${describe({ ...one, required: true }, one)} [${era} server]${note}`);
  }
  const good = found.filter(isAsExpected).length;
  tell(`${good} of ${found.length}`);
  if (values.json) console.log(JSON.stringify(found));
  process.exitCode = good === found.length && good > 0 ? 0 : 1;
}

function runSuite(home, words) {
  const shim = join(here, "fs-shim.mjs");
  const child = spawn(process.execPath, ["--import", shim, join(suite, "dist", "index.js"), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PLUGBOARD_HOME: home },
  });
  const said = [];
  child.stdout.on("data", (chunk) => said.push(chunk));
  child.stderr.on("data", (chunk) => said.push(chunk));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output: Buffer.concat(said).toString("utf8") }));
  });
}

/** What the client said before it gave up, if it did. */
function lastWords(output) {
  const [, said = ""] = /^Stderr:\n([\s\S]*?)^Results saved/m.exec(output) ?? [];
  return said.trim() === "" ? [] : [`  the client said: ${said.trim().slice(0, 2_000)}`];
}

/** The suite names a folder of its own for every run. */
function checksIn(folder) {
  const file = readdirSync(folder, { recursive: true }).find((name) => name.endsWith("checks.json"));
  return file === undefined ? [] : JSON.parse(readFileSync(join(folder, file), "utf8"));
}

function describe({ scenario, revision, required }, { isPassed, good, bad, warned, why }) {
  const counts = `${good} passed, ${bad} failed${warned > 0 ? `, ${warned} warned` : ""}`;
  const scored = required ? "" : " (not required)";
  return [`${isPassed ? "ok  " : "FAIL"} ${revision} ${scenario}${scored}: ${counts}`, ...why].join("\n");
}
