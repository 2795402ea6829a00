/**
 * `npm run mutate -- [--seed N] [--count N] [--workers N] [--unit] [path …]`: makes small changes to the source, one at a time, and checks that a test
 * fails for each. Takes a seeded sample from security-relevant modules. A mutant that no test can detect counts as a survivor.
 * `--unit` skips the flows with real servers, which is faster and stricter. Prints the survivors and the share of killed mutants. Exits with 1 if it is below the goal.
 */
import { fork } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findMutants } from "./mutate/find-mutants.mjs";
import { relatedTests } from "./mutate/related-tests.mjs";

const GOAL = 0.9;
const MUTATED = [
  "src/policy",
  "src/values",
  "src/auth",
  "src/documents",
  "src/bridge/tool-result.ts",
  "src/connection/wire",
];
/** A mutant that makes a test hang counts as killed after this time. */
const LONGEST_MS = 120_000;
const CONTROL_MS = 900_000;

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    count: { type: "string", default: "1000" },
    unit: { type: "boolean", default: false },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
  },
});
const seed = Number(values.seed);

const sources = MUTATED.flatMap(filesIn).filter((file) => isChosen(file));
const stagesOf = relatedTests(
  filesIn("src").filter((file) => file.endsWith(".test.ts")),
  { flows: !values.unit },
);
const all = sources.flatMap((file) => findMutants(file, readFileSync(file, "utf8")));
const sample = shuffled(all, seed).slice(0, Number(values.count));
console.log(`${sample.length} of ${all.length} mutants in ${sources.length} files, seed ${seed}.`);

const began = Date.now();
const results = [];
const queue = [...sample];
await checkTests();
await Promise.all(Array.from({ length: Number(values.workers) }, work));
report();

/** Checks that all tests pass without a mutant. A failing test would kill every mutant. */
async function checkTests() {
  const files = [...new Set(sample.flatMap(({ file }) => stagesOf(file)).flat())];
  const worker = await startWorker();
  const { killedBy } = await judge(worker, undefined, [files], CONTROL_MS);
  worker.disconnect();
  if (killedBy !== undefined)
    throw new Error(`${killedBy} fails without a mutant, so mutants cannot be measured.`);
  console.log(`${files.length} test files pass without a mutant.`);
}

/** Tests mutants until the queue is empty. If a worker hangs, it is replaced, and its mutant counts as killed. */
async function work() {
  let worker = await startWorker();
  for (let mutant = queue.pop(); mutant !== undefined; mutant = queue.pop()) {
    const outcome = await judge(worker, mutant, stagesOf(mutant.file), LONGEST_MS);
    results.push({ mutant, ...outcome });
    if (outcome.isHanging) worker = await startWorker();
    if (outcome.killedBy === undefined) console.log(`survived  ${describe(mutant)}`);
    if (results.length % 50 === 0) console.log(progress());
  }
  worker.disconnect();
}

function judge(worker, mutant, stages, longestMs) {
  return new Promise((resolve, reject) => {
    const settle = (outcome) => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("exit", onExit);
      resolve(outcome);
    };
    const onMessage = ({ killedBy, error }) =>
      error === undefined ? settle({ killedBy }) : reject(new Error(`The tests could not run: ${error}`));
    const onExit = () => settle({ killedBy: "crash", isHanging: true });
    const timer = setTimeout(() => {
      worker.off("exit", onExit);
      process.kill(-worker.pid, "SIGKILL");
      settle({ killedBy: "timeout", isHanging: true });
    }, longestMs);
    worker.on("message", onMessage).on("exit", onExit);
    worker.send({ mutant, stages });
  });
}

async function startWorker() {
  const worker = fork(join("scripts", "mutate", "worker.mjs"), {
    detached: true, // its own process group, so that hanging tests can be killed with it
    env: { ...process.env, PLUGBOARD_SKIP_BUILD: "1", MUTATE_SEED: String(seed) },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await new Promise((resolve) => worker.once("message", resolve));
  return worker;
}

function report() {
  const killed = results.filter(({ killedBy }) => killedBy !== undefined).length;
  console.log(`\n${progress()}\n`);
  for (const place of MUTATED) {
    const mine = results.filter(({ mutant }) => mutant.file.startsWith(place));
    if (mine.length === 0) continue;
    const dead = mine.filter(({ killedBy }) => killedBy !== undefined).length;
    console.log(`${place.padEnd(28)} ${dead} of ${mine.length} killed`);
  }
  const share = killed / results.length;
  console.log(
    `\nSeed ${seed}: ${killed} of ${results.length} mutants killed (${percent(share)}); the goal is ${percent(GOAL)}.`,
  );
  process.exitCode = share >= GOAL ? 0 : 1;
}

function progress() {
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  const survivors = results.filter(({ killedBy }) => killedBy === undefined).length;
  return `${results.length} of ${sample.length} after ${minutes} min, ${survivors} survived`;
}

function describe({ file, start, end, text, mutator }) {
  const source = readFileSync(file, "utf8");
  const line = source.slice(0, start).split("\n").length;
  const short = (code) => code.replaceAll(/\s+/g, " ").slice(0, 90);
  return `${file}:${line}  ${mutator}: ${short(source.slice(start, end))}  ->  ${short(text)}`;
}

function isChosen(file) {
  return (
    !file.endsWith(".test.ts") &&
    (positionals.length === 0 || positionals.some((word) => file.includes(word)))
  );
}

function filesIn(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

/** Fisher-Yates with mulberry32: the same seed gives the same sample. */
function shuffled(items, from) {
  const result = [...items];
  let state = from;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other], result[index]];
  }
  return result;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
