/**
 * `npm run soak`: uses fifty servers for an hour with 5 % faults. Memory, file descriptors and children must not grow.
 * `npm run soak -- --minutes 5 --servers 50 --faults 0.05`. Prints a line per minute and a table at the end. Exits with 1
 * if something grows.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const SMALL = fileURLToPath(new URL("../test/torture/small-server.mjs", import.meta.url));
const WORKERS = 16;
const SAMPLE_MS = 5_000;

if (globalThis.gc === undefined) restartWithGc();
else process.exitCode = await soak(readOptions());

/** Restarts the script with access to the garbage collector. Memory is only comparable after a collection. */
function restartWithGc() {
  const [, script, ...args] = process.argv;
  const child = spawn(process.execPath, ["--expose-gc", script, ...args], { stdio: "inherit" });
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.kill(name));
  child.on("exit", (code) => process.exit(code ?? 1));
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "60" },
      servers: { type: "string", default: "50" },
      faults: { type: "string", default: "0.05" },
    },
  });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
}

async function soak({ minutes, servers, faults }) {
  const { createHost } = await import("plugboard");
  const names = Array.from({ length: servers }, (_, index) => `s${index}`);
  const entry = { command: process.execPath, args: [SMALL], timeout: 5_000 };
  const host = await createHost({
    discover: false,
    servers: Object.fromEntries(names.map((name) => [name, entry])),
  });
  const counts = { calls: 0, faults: 0, unexpected: 0 };
  const samples = [];
  const end = Date.now() + minutes * 60_000;
  const sampler = setInterval(() => samples.push(sample()), SAMPLE_MS);
  const reporter = setInterval(() => print(samples.at(-1), counts), 60_000);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  await Promise.all(Array.from({ length: WORKERS }, () => work()));
  clearInterval(sampler);
  clearInterval(reporter);
  samples.push(sample());
  await host.close();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return judge(samples, counts, childrenOf(process.pid));

  async function work() {
    while (Date.now() < end && !stop.signal.aborted) {
      const name = names[Math.floor(Math.random() * names.length)];
      const isFault = Math.random() < faults;
      try {
        await (isFault ? misuse(host, name) : use(host, name));
        counts.calls += 1;
      } catch (error) {
        if (isFault || isAftermath(error)) counts.faults += 1;
        else {
          counts.unexpected += 1;
          console.error(`${name}: ${error.code ?? ""} ${error.message}`);
        }
      }
    }
  }
}

/** Returns whether a call failed because of another call's fault on the same server. */
function isAftermath(error) {
  return ["CONNECTION_LOST", "CONNECT_EXITED", "TOOL_CALL_FAILED", "CONNECT_FAILED"].includes(error.code);
}

async function use(host, name) {
  const kind = Math.random();
  if (kind < 0.8) await host.call(name, "echo", { text: "hello" });
  else if (kind < 0.85) await host.tools(name, { refresh: true });
  else if (kind < 0.9) await host.resources.read(name, "note://one");
  else if (kind < 0.93) await host.prompts.get(name, "greet", { who: "you" });
  else if (kind < 0.96) await host.call(name, "long");
  else if (kind < 0.98) await host.search("say something");
  else await host.close(name); // as an idle stop does; the next use starts it again
}

async function misuse(host, name) {
  const kind = Math.random();
  if (kind < 0.3) await host.call(name, "crash");
  else if (kind < 0.5) await host.call(name, "echo", { text: "x" }, { signal: AbortSignal.abort() });
  else if (kind < 0.7) await host.call(name, "nothing_of_that_name");
  else if (kind < 0.9) await host.call(name, "echo", { text: 1 });
  else await host.call(name, "grow");
}

function sample() {
  globalThis.gc();
  return {
    at: Date.now(),
    heapMb: process.memoryUsage().heapUsed / 1e6,
    rssMb: process.memoryUsage().rss / 1e6,
    descriptors: readdirSync("/proc/self/fd").length,
    children: childrenOf(process.pid),
  };
}

function childrenOf(pid) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1].split(" ")[1] === String(pid);
      } catch {
        return false; // it ended
      }
    }).length;
}

function print({ heapMb, rssMb, descriptors, children }, { calls, faults, unexpected }) {
  console.log(
    `${calls} calls, ${faults} faults, ${unexpected} unexpected · heap ${heapMb.toFixed(1)} MB, RSS ${rssMb.toFixed(0)} MB, ` +
      `${descriptors} descriptors, ${children} children`,
  );
}

/** The first third is the warm-up. After that, nothing may grow. */
function judge(samples, counts, left) {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const hours = (settled.at(-1).at - settled[0].at) / 3_600_000;
  const heap = slope(settled, ({ heapMb }) => heapMb);
  const descriptors = slope(settled, (one) => one.descriptors);
  const children = slope(settled, (one) => one.children);
  const rows = [
    ["heap", `${heap.toFixed(1)} MB per hour`, heap * hours < 3],
    ["file descriptors", `${descriptors.toFixed(1)} per hour`, descriptors * hours < 10],
    ["children", `${children.toFixed(1)} per hour`, children * hours < 5],
    ["left after closing", `${left} processes`, left === 0],
    ["unexpected failures", String(counts.unexpected), counts.unexpected === 0],
  ];
  console.log(
    `\n${counts.calls} calls, ${counts.faults} faults, ${(hours * 60).toFixed(0)} minutes after the warm-up`,
  );
  for (const [what, figure, isGood] of rows) console.log(`${isGood ? "✓" : "✗"} ${what}: ${figure}`);
  return rows.every(([, , isGood]) => isGood) ? 0 : 1;
}

/** Returns the growth per hour, by least squares. */
function slope(samples, read) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const times = samples.map(({ at }) => at / 3_600_000);
  const values = samples.map(read);
  const [time, value] = [mean(times), mean(values)];
  const above = times.reduce((sum, one, index) => sum + (one - time) * (values[index] - value), 0);
  const below = times.reduce((sum, one) => sum + (one - time) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
