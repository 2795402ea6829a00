/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
/**
 * Parts `cluster-costs` and `cluster-check`: the CPU time, memory and database work of calls through one to three gateways, what that
 * predicts for four, and whether four gateways then need that.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fitCosts, forwardedShare, predictCpu, sizeTeam } from "./cluster-model.mjs";
import { plotCluster } from "./cluster-plot.mjs";
import { connectClient } from "./gateway/clients.mjs";
import { atMost, goals } from "./goals.mjs";
import { measureInRounds, percentile, reportOf, summarize } from "./measure.mjs";
import { digits } from "./print.mjs";
import { startDatabase } from "./team/start-database.mjs";
import { startIdentity } from "./team/start-identity.mjs";
import { cpuOf, memoryOf, startNode, startTinyServer } from "./team/start-nodes.mjs";

const AUDIENCE = "plugboard-bench";
const CHECKED = 4;
const MEASURED = [1, 2, 3];
const CALLS_PER_SECOND = 100;
const UNLIMITED = { requestsPerSecond: 1e5, burst: 1e5, concurrent: 10_000, queue: 10_000 };
/** `warmUp` is for each gateway, because each compiles its own code. */
const COUNTS = { warmUp: 300, calls: 800, alone: 1_000, idleMs: 5_000, people: 60, sessions: 40 };
const QUICK = { warmUp: 200, calls: 400, alone: 200, idleMs: 2_000, people: 10, sessions: 4 };
/** People who send the calls. Each has one session per node. */
const CALLERS = 12;
const PREDICTION = new URL("cluster-prediction.json", import.meta.url);
/** What the page sizes. */
const TEAMS = [
  { people: 100, sessions: 1_000 },
  { people: 1_000, sessions: 10_000 },
  { people: 10_000, sessions: 200_000 },
];
const CALLS_PER_PERSON_AND_HOUR = 120;

/** Measures one to three nodes, and predicts four. `--write` saves the prediction. */
export async function measureClusterCosts({ rounds, isQuick, announce }) {
  const counts = isQuick ? QUICK : COUNTS;
  const { contestants, results, memory } = await withWorld(async (world) => {
    const contestants = MEASURED.map((nodes) => contestant(world, nodes, counts));
    const results = await measureInRounds(contestants, rounds, announce);
    announce("memory");
    return { contestants, results, memory: await measureMemory(world, counts) };
  });
  const median = medianOf(results);
  const measured = MEASURED.map((nodes) => ({ nodes, cpuUs: median(nodes, "legacyUs") }));
  const costs = { ...fitCosts(measured), idleUsPerSecond: median(1, "idleUs"), ...memory };
  const prediction = {
    nodes: CHECKED,
    cpuUs: Math.round(predictCpu(costs, CHECKED)),
    modernUs: Math.round(median(1, "modernUs")),
  };
  const added = median(2, "hereUs") - median(2, "directUs");
  return {
    name: "cluster-costs",
    title: "One to three gateways",
    head: HEAD,
    rows: MEASURED.map((nodes) => rowOf(nodes, median)),
    notes: [
      NOTE,
      `Costs that fit this best: ${digits(costs.own)} µs for a call at its session's node, and ${digits(costs.hop)} µs for passing one on. Prediction for four gateways: ${prediction.cpuUs} µs.`,
      `A call that is passed on takes ${digits(median(2, "thereUs") - median(2, "hereUs"))} µs longer (p50, one at a time): ${atMost(goals.forwardTimesAdded, "× what a gateway adds", (median(2, "thereUs") - median(2, "hereUs")) / added)}, which is ${digits(added)} µs.`,
      `Memory: ${digits(costs.nodeBytes / 2 ** 20)} MB for a gateway, ${digits(costs.personBytes / 1_024)} KB for a person with a connection, ${digits(costs.sessionBytes / 1_024)} KB for a session. A gateway without requests uses ${digits(costs.idleUsPerSecond / 1_000)} ms of CPU per second.`,
      ...sizes(costs),
    ],
    ...reportOf(contestants, results),
    picture: {
      name: "cluster-scale.svg",
      svg: plotCluster(
        MEASURED.concat(CHECKED).map((nodes) => ({
          nodes,
          legacyUs: nodes === CHECKED ? undefined : median(nodes, "legacyUs"),
          modernUs: nodes === CHECKED ? undefined : median(nodes, "modernUs"),
          predictedUs: predictCpu(costs, nodes),
        })),
      ),
    },
    save: () =>
      writeFileSync(
        PREDICTION,
        `${JSON.stringify({ ...prediction, costs: rounded(costs) }, undefined, 2)}\n`,
      ),
  };
}

/** Measures four nodes, and compares them with the saved prediction. */
export async function checkCluster({ rounds, isQuick, announce }) {
  const prediction = JSON.parse(readFileSync(PREDICTION, "utf8"));
  const counts = isQuick ? QUICK : COUNTS;
  const { contestants, results } = await withWorld(async (world) => {
    const contestants = [1, CHECKED].map((nodes) => contestant(world, nodes, counts));
    return { contestants, results: await measureInRounds(contestants, rounds, announce) };
  });
  const median = medianOf(results);
  const percent = (value, of) => (Math.abs(value - of) / of) * 100;
  return {
    name: "cluster-check",
    title: "Four gateways, and the prediction",
    head: HEAD,
    rows: [1, CHECKED].map((nodes) => rowOf(nodes, median)),
    notes: [
      `Predicted: ${prediction.cpuUs} µs per call of a legacy client with four gateways. Measured: ${digits(median(CHECKED, "legacyUs"))} µs. Difference: ${atMost(goals.clusterPredictionPercent, "%", percent(median(CHECKED, "legacyUs"), prediction.cpuUs))}, ${digits(percent(median(CHECKED, "legacyUs"), prediction.cpuUs))} %.`,
      `A call of a modern client, which is never passed on, needs ${digits(percent(median(CHECKED, "modernUs"), median(1, "modernUs")))} % more or less with four gateways than with one: ${atMost(goals.clusterCpuPercent, "%", percent(median(CHECKED, "modernUs"), median(1, "modernUs")))}.`,
    ],
    ...reportOf(contestants, results),
  };
}

const HEAD = ["gateways", "CPU µs per call, modern", "legacy", "passed on", "CPU ms per second, idle"];
const NOTE = `${CALLS_PER_SECOND} calls per second in all, in turn to every gateway, in any number of gateways. CPU is that of all gateways together, per call, without what they need when idle. Sessions of legacy clients are spread over the gateways.`;

const rowOf = (nodes, median) => [
  String(nodes),
  digits(median(nodes, "modernUs")),
  digits(median(nodes, "legacyUs")),
  `${Math.round(forwardedShare(nodes) * 100)} %`,
  digits(median(nodes, "idleUs") / 1_000),
];

const medianOf = (results) => (nodes, number) => summarize(results.get(String(nodes)), number)?.median;

const rounded = (costs) =>
  Object.fromEntries(Object.entries(costs).map(([name, value]) => [name, Math.round(value)]));

function sizes(costs) {
  return TEAMS.map((team) => {
    const wanted = { ...team, callsPerPersonAndHour: CALLS_PER_PERSON_AND_HOUR };
    const { nodes, callsPerSecond, cpuPercent, bytesPerNode } = sizeTeam(costs, wanted);
    const [people, sessions] = [team.people, team.sessions].map((count) => count.toLocaleString("en-US"));
    return `${people} people with ${sessions} sessions and ${CALLS_PER_PERSON_AND_HOUR} calls per person and hour (${digits(callsPerSecond)} per second): **${nodes} gateways**, with ${digits(cpuPercent)} % of a core and ${digits(bytesPerNode / 2 ** 20)} MB each while one is missing.`;
  });
}

async function withWorld(use) {
  const [database, identity, tiny] = await Promise.all([startDatabase(), startIdentity(), startTinyServer()]);
  try {
    return await use({ database, identity, tiny });
  } finally {
    tiny.stop();
    identity.stop();
    await database.stop();
  }
}

function start({ database, identity, tiny }) {
  return startNode((origin) => ({
    publicUrl: "http://gateway.test",
    access: {
      oauth: { issuer: identity.issuer, audience: AUDIENCE },
      allowHosts: [new URL(origin).host],
    },
    servers: { tiny: { type: "http", url: tiny.url, protocol: "legacy" } },
    policy: { rules: [{ who: ["*"], then: "allow" }] },
    limits: { ...UNLIMITED, concurrentPerServer: 10_000, concurrentInAll: 10_000 },
    database: { url: database.url },
    keys: [{ id: "bench", variable: "TEAM_KEY" }],
    cluster: "127.0.0.1:0",
  }));
}

const contestant = (world, count, counts) => ({
  id: String(count),
  label: `${count} gateways`,
  async sample() {
    const nodes = [];
    const clients = [];
    try {
      for (let index = 0; index < count; index++) nodes.push(await start(world));
      await delay(6_000); // a heartbeat, after which the nodes know each other
      const idleUs = await cpuDuring(nodes, counts.idleMs, () => delay(counts.idleMs));
      const callers = Array.from({ length: CALLERS }, (_, index) => ({
        authorization: `Bearer ${world.identity.tokenFor(`person-${index}`, AUDIENCE)}`,
      }));
      const figures = { idleUs: idleUs / count };
      for (const era of ["modern", "legacy"]) {
        const mine = await Promise.all(
          callers.map((headers, index) => connectAcross(nodes, index, { era, headers })),
        );
        clients.push(...mine);
        await atRate(mine, counts.warmUp * count);
        const ms = (counts.calls / CALLS_PER_SECOND) * 1_000;
        const cpu = await cpuDuring(nodes, ms, () => atRate(mine, counts.calls));
        figures[`${era}Us`] = ((cpu - idleUs) * ms) / 1_000 / counts.calls;
      }
      if (count === 2) Object.assign(figures, await measureHop(world, nodes, callers[0], counts));
      return figures;
    } finally {
      for (const client of clients) client.close();
      await Promise.all(nodes.map((node) => node.stop()));
    }
  },
});

/** A client whose requests go to all nodes in turn. Its session is at one of them. */
async function connectAcross(nodes, first, options) {
  const home = nodes[first % nodes.length];
  const client = await connectClient({ url: home.url, ...options });
  let turn = first;
  return {
    call(node = nodes[turn++ % nodes.length]) {
      return client.request("tools/call", { name: "tiny_echo", arguments: { text: "hello" } }, node.url);
    },
    close: () => client.close(),
  };
}

/** Returns the CPU time of all nodes per second, in microseconds. */
async function cpuDuring(nodes, ms, action) {
  const sum = () => nodes.reduce((total, { pid }) => total + cpuOf(pid), 0);
  const before = sum();
  await action();
  return ((sum() - before) / ms) * 1_000;
}

/** Sends calls at a fixed rate, whether or not the earlier ones have ended. */
async function atRate(clients, count) {
  const began = performance.now();
  const open = [];
  let failure;
  for (let call = 0; call < count; call++) {
    const due = began + (call / CALLS_PER_SECOND) * 1_000;
    if (due > performance.now()) await delay(due - performance.now());
    const calling = check(clients[call % clients.length].call());
    open.push(calling.catch((error) => (failure ??= error)));
  }
  await Promise.all(open);
  if (failure !== undefined) throw failure;
}

async function check(calling) {
  if ((await calling).content?.[0]?.text !== "hello") throw new Error("a wrong result");
}

/** Returns the p50 of calls without a gateway, at the session's node, and at the other one. */
async function measureHop({ tiny }, [here, there], headers, { alone }) {
  const direct = await connectClient({ url: tiny.url });
  const client = await connectAcross([here], 0, { era: "legacy", headers });
  const times = { directUs: [], hereUs: [], thereUs: [] };
  const timed = async (name, call) => {
    const began = performance.now();
    await check(call());
    times[name].push((performance.now() - began) * 1_000);
  };
  for (let round = 0; round < alone; round++) {
    await timed("directUs", () =>
      direct.request("tools/call", { name: "echo", arguments: { text: "hello" } }),
    );
    await timed("hereUs", () => client.call(here));
    await timed("thereUs", () => client.call(there));
  }
  direct.close();
  client.close();
  return Object.fromEntries(
    Object.entries(times).map(([name, each]) => [
      name,
      percentile(
        each.sort((a, b) => a - b),
        0.5,
      ),
    ]),
  );
}

/** Returns what a node, a person and a session need. */
async function measureMemory(world, { people, sessions }) {
  const node = await start(world);
  const clients = [];
  const connect = async (person) => {
    const headers = { authorization: `Bearer ${world.identity.tokenFor(`memory-${person}`, AUDIENCE)}` };
    const client = await connectClient({ url: node.url, headers });
    clients.push(client);
    await client.request("tools/list", {});
  };
  const settled = async () => {
    await delay(3_000);
    return memoryOf(node.pid);
  };
  try {
    const empty = await settled();
    for (let person = 0; person < people; person++) await connect(person);
    const one = await settled();
    for (let round = 1; round < sessions; round++)
      for (let person = 0; person < people; person++) await connect(person);
    const many = await settled();
    const sessionBytes = Math.max(1_024, (many - one) / (people * (sessions - 1)));
    return {
      nodeBytes: empty,
      personBytes: Math.max(1_024, (one - empty) / people - sessionBytes),
      sessionBytes,
    };
  } finally {
    for (const client of clients) client.close();
    await node.stop();
  }
}
