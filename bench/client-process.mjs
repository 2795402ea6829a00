/**
 * The process in which a client is measured: `node client-process.mjs <contestant> <task> <options as JSON>`. It loads one
 * client, performs one task with it and prints the numbers as one line of JSON.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { percentile } from "./measure.mjs";

const loaders = {
  "hand-written": () => import("./contestants/hand-written.mjs"),
  plugboard: () => import("./contestants/plugboard.mjs"),
  "sdk-v1": () => import("./contestants/sdk-v1.mjs"),
  "sdk-v2": () => import("./contestants/sdk-v2.mjs"),
  "ai-sdk": () => import("./contestants/ai-sdk.mjs"),
  mcporter: () => import("./contestants/mcporter.mjs"),
  "mcp-use": () => import("./contestants/mcp-use.mjs"),
};
const tasks = {
  calls: (load, options) => measureCalls(load, tinyServers(1), options),
  "http-calls": measureHttpCalls,
  connect: measureConnecting,
};

const [contestant, task, options] = process.argv.slice(2);
try {
  const numbers = await tasks[task](loaders[contestant], JSON.parse(options));
  process.stdout.write(`${JSON.stringify(numbers)}\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Measures the latency of sequential calls, then the rate of concurrent calls. */
async function measureCalls(load, servers, { sequential, concurrent, inFlight, warmUp }) {
  const { connect } = await load();
  const client = await connect(servers);
  const call = (text) => client.call("tiny1", text);
  await expectEcho(call);
  for (let i = 0; i < warmUp; i++) await call("hi");

  const latencies = new Float64Array(sequential);
  const cpuBefore = process.cpuUsage();
  for (let i = 0; i < sequential; i++) {
    const start = performance.now();
    await call("hi");
    latencies[i] = performance.now() - start;
  }
  const cpu = process.cpuUsage(cpuBefore);
  latencies.sort();

  await callConcurrently(call, warmUp, inFlight);
  const start = performance.now();
  await callConcurrently(call, concurrent, inFlight);
  const seconds = (performance.now() - start) / 1000;
  await client.close();
  return {
    p50Micros: percentile(latencies, 0.5) * 1000,
    p99Micros: percentile(latencies, 0.99) * 1000,
    cpuMicros: (cpu.user + cpu.system) / sequential,
    callsPerSecond: concurrent / seconds,
  };
}

/** The same over Streamable HTTP. The server is a child process too, so that both transports share a core. */
async function measureHttpCalls(load, options) {
  const program = fileURLToPath(new URL("servers/tiny-http.mjs", import.meta.url));
  const server = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "ignore"] });
  const [address] = await once(server.stdout.setEncoding("utf8"), "data");
  try {
    return await measureCalls(load, [{ name: "tiny1", url: address.trim() }], options);
  } finally {
    server.stdin.end();
  }
}

/**
 * Loads the library and connects to one server. Then connects to many at once until all have
 * listed their tools, and measures the memory while they are connected.
 */
async function measureConnecting(load, { servers, slow = false, stubborn = false }) {
  const firstStart = performance.now();
  const { connect } = await load();
  const first = await connect(tinyServers(1));
  const firstMs = performance.now() - firstStart;
  await first.close();

  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const client = await connect(tinyServers(servers));
  const connectMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  await delay(200); // wait for background work after connecting
  const rssMegabytes = process.memoryUsage.rss() / 2 ** 20;
  await expectEcho((text) => client.call(`tiny${servers}`, text));
  await client.close();
  const numbers = { firstMs, connectMs, cpuMs: (user + system) / 1000, rssMegabytes };
  if (slow)
    numbers.slowMs = await timed(async () => (await connect(tinyServers(servers, "--slow", "300"))).close());
  if (stubborn) {
    const unwilling = await connect(tinyServers(1, "--stubborn"));
    numbers.closeMs = await timed(() => unwilling.close());
  }
  return numbers;
}

async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function tinyServers(count, ...words) {
  const program = fileURLToPath(new URL("servers/tiny.mjs", import.meta.url));
  return Array.from({ length: count }, (_, index) => ({
    name: `tiny${index + 1}`,
    command: process.execPath,
    args: [program, `tiny${index + 1}`, ...words], // 20 different launches, like 20 configured servers
  }));
}

async function callConcurrently(call, total, inFlight) {
  let started = 0;
  const worker = async () => {
    while (started < total) {
      started++;
      await call("hi");
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** Checks the output, so that a fast wrong result does not count. */
async function expectEcho(call) {
  const answer = JSON.stringify(await call("is anybody there?"));
  if (!answer.includes("is anybody there?")) throw new Error(`unexpected answer: ${answer}`);
}
