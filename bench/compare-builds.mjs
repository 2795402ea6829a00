/**
 * `node bench/compare-builds.mjs <dist A> <dist B>`: whether a change made calls slower. Calls a server in the same process, which leaves nothing
 * but Plugboard's own work. Each of 20 rounds measures A, A again and B in new processes, in another order. The difference between the two A
 * columns is noise; B differs only if its difference from A is larger.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { percentile } from "./measure.mjs";
import { digits } from "./print.mjs";
import { emptyHome } from "./scratch.mjs";

const ROUNDS = 20;
const WARM_UP = 5_000;
const CALLS = 20_000;
const program = fileURLToPath(import.meta.url);

const [first, second] = process.argv.slice(2);
if (first === "--measure") await measure(second);
else if (second === undefined) throw new Error("Usage: node bench/compare-builds.mjs <dist A> <dist B>");
else compare(first, second);

function compare(a, b) {
  const columns = { A: a, "A again": a, B: b };
  const names = Object.keys(columns);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      results[name].push(runOnce(columns[name]));
    }
  for (const what of ["micros", "bytes"]) {
    const medians = names.map((name) => middle(results[name].map((result) => result[what])));
    const [one, again, other] = medians;
    const noise = Math.abs(again - one) / one;
    const difference = (other - one) / one;
    const unit = what === "micros" ? "µs of CPU" : "bytes allocated";
    console.log(`${unit} per call: A ${digits(one)}, A again ${digits(again)}, B ${digits(other)}`);
    console.log(`  A/A differs by ${percent(noise)}, A/B by ${percent(difference)}`);
  }
}

function runOnce(dist) {
  // The young generation is large, so that nothing is collected and all allocations count.
  const flags = ["--expose-gc", "--max-semi-space-size=1024", "--min-semi-space-size=1024"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, program, "--measure", dist], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function measure(dist) {
  const { createHost } = await import(pathToFileURL(resolve(dist, "index.js")).href);
  const { createScriptedServer } = await import(pathToFileURL(resolve(dist, "testing/index.js")).href);
  const home = emptyHome();
  const echo = { run: () => "hi" };
  const transport = () => scriptedTransport(createScriptedServer, echo);
  const host = await createHost({
    discover: false,
    servers: { echo: { transport } },
    cwd: home.folder,
    env: home.env,
  });
  try {
    await host.tools();
    for (let call = 0; call < WARM_UP; call++) await host.call("echo", "echo");
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const cpu = process.cpuUsage();
    for (let call = 0; call < CALLS; call++) await host.call("echo", "echo");
    const { user, system } = process.cpuUsage(cpu);
    const micros = (user + system) / CALLS;
    const bytes = (process.memoryUsage().heapUsed - before) / CALLS;
    console.log(JSON.stringify({ micros, bytes }));
  } finally {
    await host.close();
    home.remove();
  }
}

/** A transport in the SDK's shape that is connected to a scripted server. */
function scriptedTransport(createScriptedServer, echo) {
  const server = createScriptedServer({ name: "echo", version: "1", tools: { echo } });
  const transport = {
    async start() {},
    async send(message) {
      await server.receive(message, (reply) => transport.onmessage?.(reply));
    },
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

function middle(values) {
  return percentile(
    values.sort((a, b) => a - b),
    0.5,
  );
}

function percent(part) {
  return `${(part * 100).toFixed(1)} %`;
}
