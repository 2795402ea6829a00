/**
 * One measurement of very many servers, in its own process: `scale-process.mjs <task> <JSON file about the home>`.
 * Tasks: `cached` and `parse` (cached lists), `live` and `live-by-hand` (all servers connected).
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openHttp } from "./hand-written/http-client.mjs";
import { openPipe } from "./hand-written/pipe-client.mjs";

const [task, facts] = process.argv.slice(2);
const home = JSON.parse(readFileSync(facts, "utf8"));
const tasks = { cached, parse, live, "live-by-hand": liveByHand };
process.stdout.write(`${JSON.stringify(await tasks[task]())}\n`);

/** Creates a host and lists every cached tool, without starting a server, as an agent does at start-up. */
async function cached() {
  const { createHost } = await import("../dist/index.js");
  const looked = await look(async () => {
    const host = await createHost();
    return { host, tools: await host.tools() };
  });
  const { host, tools } = looked.result;
  expect(tools.length, home.tools, "tools");
  expect(host.servers().filter(({ state }) => state === "idle").length, home.servers, "idle servers");
  const megabytes = rss();
  await host.close();
  return { ms: looked.ms, cpuMs: looked.cpuMs, stallMs: looked.stallMs, megabytes };
}

/** The lower bound: parses the same bytes. */
async function parse() {
  const folder = join(process.env.HOME, ".cache", "plugboard", "catalogs");
  const looked = await look(async () => {
    for (const file of home.files) JSON.parse(readFileSync(file, "utf8"));
    return readdirSync(folder).map((name) =>
      readFileSync(join(folder, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  });
  expect(looked.result.flatMap(([, tools]) => tools).length >= home.tools, true, "all tools");
  return { ms: looked.ms, megabytes: rss() };
}

/** Connects to all servers and lists their tools, lists again, reloads one, closes all. */
async function live() {
  const { createHost } = await import("../dist/index.js");
  const host = await createHost();
  const all = () => host.tools({ refresh: true });
  const connecting = await look(all);
  expect(connecting.result.length, home.tools, "tools");
  await delay(300); // wait for background work after connecting
  const megabytes = rss();
  const listing = await look(all);
  expect(listing.result.length, home.tools, "tools");
  await delay(300);
  const reloading = await reloadOne(host);
  const ending = await look(() => host.close());
  return {
    connectMs: connecting.ms,
    connectStallMs: connecting.stallMs,
    connectCpuMs: connecting.cpuMs,
    megabytes,
    listMs: listing.ms,
    listStallMs: listing.stallMs,
    listCpuMs: listing.cpuMs,
    ...reloading,
    closeMs: ending.ms,
    closeCpuMs: ending.cpuMs,
  };
}

/** Changes one entry of one file. Only its server may restart. */
async function reloadOne(host) {
  const { name, file, before, after } = home.changing;
  const touched = new Set();
  const stop = host.subscribe((event) => {
    if (event.type === "server.state") touched.add(event.server);
  });
  writeFileSync(file, after);
  try {
    const reloading = await look(async () => {
      await host.reload();
      return host.tools(name);
    });
    expect(reloading.result.length > 0, true, "tools after the reload");
    expect([...touched].join(), name, "servers that were restarted");
    return { reloadMs: reloading.ms, reloadStallMs: reloading.stallMs, reloadCpuMs: reloading.cpuMs };
  } finally {
    stop();
    writeFileSync(file, before);
  }
}

async function liveByHand() {
  const clients = new Map();
  const open = async (name) => {
    const entry = home.entries[name];
    clients.set(name, await (entry.url === undefined ? openPipe(entry) : openHttp(entry)));
  };
  const list = async (name) => (await clients.get(name).listTools()).tools;
  const names = Object.keys(home.entries);
  const connecting = await look(() =>
    inTurns(names, async (name) => {
      await open(name);
      return list(name);
    }),
  );
  expect(connecting.result.flat().length, home.tools, "tools");
  await delay(300);
  const megabytes = rss();
  const listing = await look(() => Promise.all(names.map(list)));
  const reloading = await look(async () => {
    for (const file of home.files) JSON.parse(readFileSync(file, "utf8"));
    const { name } = home.changing;
    await clients.get(name).close();
    await open(name);
    return list(name);
  });
  const ending = await look(() => Promise.all([...clients.values()].map((client) => client.close())));
  return {
    connectMs: connecting.ms,
    connectCpuMs: connecting.cpuMs,
    megabytes,
    listMs: listing.ms,
    listCpuMs: listing.cpuMs,
    reloadMs: reloading.ms,
    reloadCpuMs: reloading.cpuMs,
    closeMs: ending.ms,
    closeCpuMs: ending.cpuMs,
  };
}

/** Starts as many at a time as Plugboard does. */
async function inTurns(names, action) {
  const waiting = [...names];
  const results = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      results.push(await action(name));
  };
  await Promise.all(Array.from({ length: 20 }, work));
  return results;
}

/** Measures the duration, and the longest time in which no other code could run. */
async function look(action) {
  let stallMs = 0;
  let last = performance.now();
  const notice = () => {
    const now = performance.now();
    stallMs = Math.max(stallMs, now - last - 1);
    last = now;
  };
  const timer = setInterval(notice, 1);
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const result = await action();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  notice();
  clearInterval(timer);
  return { result, ms, cpuMs: (user + system) / 1000, stallMs };
}

function rss() {
  return process.memoryUsage.rss() / 2 ** 20;
}

/** Checks the result, so that a fast wrong result does not count. */
function expect(actual, wanted, what) {
  if (actual !== wanted) throw new Error(`${what}: ${actual} instead of ${wanted}`);
}
