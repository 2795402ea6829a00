/**
 * `npm run soak:gateway`: a hundred clients use thirty servers through one gateway for an hour, with 5 % faults. Its memory, file descriptors
 * and processes must not grow. `npm run soak:gateway -- --minutes 10 --clients 100 --servers 30 --faults 0.05 --json`. Exits with 1 if something
 * grows.
 */
import { fork } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connectClient } from "../bench/gateway/clients.mjs";

const PROGRAM = fileURLToPath(new URL("soak/gateway-process.mjs", import.meta.url));
const SAMPLE_MS = 5_000;
/** A client that never waits would only measure the machine. */
const PAUSE_MS = 400;
/** A client connects again after this many requests. */
const REQUESTS = 200;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    clients: { type: "string", default: "100" },
    servers: { type: "string", default: "30" },
    faults: { type: "string", default: "0.05" },
    json: { type: "boolean", default: false },
  },
});
const settings = Object.fromEntries(
  ["minutes", "clients", "servers", "faults"].map((name) => [name, Number(values[name])]),
);
process.exitCode = await soak(settings);

async function soak({ minutes, clients, servers, faults }) {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "plugboard-soak-"));
  const child = fork(PROGRAM, [home, String(servers)], { execArgv: ["--expose-gc"] });
  const answers = [];
  child.on("message", (message) => answers.shift()?.(message));
  const ask = (question) =>
    new Promise((resolve) => {
      answers.push(resolve);
      child.send(question);
    });
  const { url, token } = await ask("listen");
  const counts = { requests: 0, faults: 0, unexpected: 0 };
  const samples = [];
  const until = Date.now() + minutes * 60_000;
  const sampling = sampleUntil(until, () => ask("sample"), samples);
  const work = Array.from({ length: clients }, (_, index) =>
    useUntil(until, { url, token, era: index % 2 === 0 ? "legacy" : "modern", servers, faults, counts }),
  );
  await Promise.all([sampling, ...work]);
  const { left } = await ask("close");
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  return judge(samples, counts, left);
}

async function sampleUntil(until, sample, samples) {
  while (Date.now() < until) {
    await delay(SAMPLE_MS);
    samples.push({ at: Date.now(), ...(await sample()) });
    const { heapMb, descriptors, children } = samples.at(-1);
    if (!values.json && samples.length % 12 === 0)
      console.log(`heap ${heapMb.toFixed(1)} MB, ${descriptors} descriptors, ${children} processes`);
  }
}

/** One client: it connects, makes some requests, disconnects, and starts again. */
async function useUntil(until, { url, token, era, servers, faults, counts }) {
  while (Date.now() < until) {
    const client = await connectClient({ url, headers: { authorization: `Bearer ${token}` }, era });
    for (let count = 0; count < REQUESTS && Date.now() < until; count += 1) {
      const server = `s${Math.floor(Math.random() * servers)}`;
      const isFault = Math.random() < faults;
      try {
        await (isFault ? misuse(client, server) : use(client, server));
        counts.requests += 1;
      } catch (error) {
        if (isFault || isAftermath(error)) counts.faults += 1;
        else {
          counts.unexpected += 1;
          console.error(`${server}: ${error.message}`);
        }
      }
      await delay(PAUSE_MS * (0.5 + Math.random()));
    }
    client.close();
  }
}

/** Returns whether a request failed because of another client's fault on the same server. */
function isAftermath({ message }) {
  return /ended|lost|exited|interrupted|restart|Unknown tool/.test(message);
}

async function use(client, server) {
  const kind = Math.random();
  if (kind < 0.8) {
    const { content } = await client.request("tools/call", {
      name: `${server}_echo`,
      arguments: { text: "hello" },
    });
    if (content[0].text !== "hello") throw new Error("a wrong result");
  } else if (kind < 0.85) await client.request("tools/list", {});
  else if (kind < 0.9) await client.request("resources/read", { uri: `${server}+note://one` });
  else if (kind < 0.95)
    await client.request("prompts/get", { name: `${server}_greet`, arguments: { who: "you" } });
  else await client.request("tools/call", { name: `${server}_long`, arguments: {} });
}

/** A server that crashes often is no longer restarted at once, so crashes are rare. */
async function misuse(client, server) {
  const kind = Math.random();
  if (kind < 0.02) await client.request("tools/call", { name: `${server}_crash`, arguments: {} });
  else if (kind < 0.4) await client.request("tools/call", { name: `${server}_missing`, arguments: {} });
  else if (kind < 0.6)
    await client.request("resources/read", { uri: `${server}+note://${"x".repeat(9_000)}` });
  else if (kind < 0.8) await client.request("no/such/method", {});
  else await client.request("tools/call", { name: `${server}_grow`, arguments: {} });
}

/** Only the second half counts. Besides the servers, one process ends them if the gateway crashes. Growth counts if it is more than what the samples' own scatter explains. */
function judge(samples, counts, left) {
  const settled = samples.slice(Math.floor(samples.length / 2));
  const heap = slope(settled, ({ heapMb }) => heapMb);
  const descriptors = range(settled, (one) => one.descriptors);
  const children = range(settled, (one) => one.children);
  const rows = [
    [
      "heap",
      `${heap.perHour.toFixed(1)} ± ${(2 * heap.error).toFixed(1)} MB per hour`,
      heap.perHour - 2 * heap.error < 1,
    ],
    [
      "file descriptors",
      `${descriptors.first} → ${descriptors.last}`,
      descriptors.last - descriptors.first <= 5,
    ],
    ["server processes", `at most ${children.most}`, children.most <= settings.servers + 1],
    ["left after closing", `${left} processes`, left === 0],
    ["unexpected failures", String(counts.unexpected), counts.unexpected === 0],
  ];
  const passed = rows.filter(([, , isGood]) => isGood).length;
  if (values.json) console.log(JSON.stringify({ passed, total: rows.length, counts, rows }));
  else {
    console.log(`\n${counts.requests} requests, ${counts.faults} faults`);
    for (const [what, figure, isGood] of rows) console.log(`${isGood ? "✓" : "✗"} ${what}: ${figure}`);
  }
  return passed === rows.length ? 0 : 1;
}

/** Returns the typical value at the beginning and the end, and the largest one. */
function range(samples, read) {
  const list = samples.map(read);
  const typical = (some) => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)];
  const part = Math.max(1, Math.floor(list.length / 4));
  return { first: typical(list.slice(0, part)), last: typical(list.slice(-part)), most: Math.max(...list) };
}

/** Returns the growth per hour by least squares, and its standard error. */
function slope(samples, read) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const times = samples.map(({ at }) => at / 3_600_000);
  const heaps = samples.map(read);
  const [time, heap] = [mean(times), mean(heaps)];
  const below = times.reduce((sum, one) => sum + (one - time) ** 2, 0);
  const perHour = times.reduce((sum, one, index) => sum + (one - time) * (heaps[index] - heap), 0) / below;
  const rest = heaps.reduce(
    (sum, one, index) => sum + (one - heap - perHour * (times[index] - time)) ** 2,
    0,
  );
  return { perHour, error: Math.sqrt(rest / Math.max(1, samples.length - 2) / below) };
}
