/** Part `gateway`: what a gateway adds to a call, compared with a hand-written one and with other gateways. */
import { nodeOfCommands } from "./command-programs.mjs";
import { connectClient } from "./gateway/clients.mjs";
import { gateways } from "./gateway/contestants.mjs";
import { startTen, startTiny, withGateway } from "./gateway/run-gateway.mjs";
import { atLeast, atMost, goals, mark } from "./goals.mjs";
import { endProcessesOf } from "./left-running.mjs";
import { measureInRounds, percentile, reportOf, summarize } from "./measure.mjs";
import { describePeer } from "./peers.mjs";
import { digits, times } from "./print.mjs";
import { emptyHome } from "./scratch.mjs";

const AT_ONCE = 16;
const TOOLS = 200;
/** Time for a gateway to finish its start, before its memory is read. */
const SETTLE_MS = 1_000;
/** A slow gateway makes fewer calls. */
const LONGEST_MS = 4_000;
const COUNTS = { warmUp: 500, calls: 2_000, burst: 4_000, lists: 150 };
const QUICK = { warmUp: 200, calls: 500, burst: 1_000, lists: 50 };

export const gatewayPeers = ["mcp-hub", "mcporter", "supergateway", "node"];

/** Measures calls through every gateway, the list of 200 tools, and the memory with ten servers. */
export async function measureGateways({ rounds, isQuick, unavailable, announce }) {
  const node = nodeOfCommands(unavailable);
  const counts = isQuick ? QUICK : COUNTS;
  const direct = { id: "direct", label: "no gateway", sample: () => measureDirect(node, counts) };
  const contestants = [
    direct,
    ...gateways.map((gateway) => ({
      ...gateway,
      sample: () => measureGateway(gateway, { node, counts, unavailable }),
    })),
  ];
  return describe(contestants, await measureInRounds(contestants, rounds, announce));
}

async function measureDirect(node, counts) {
  const home = emptyHome();
  try {
    const { tiny } = await startTiny(home, node);
    const client = await connectClient({ url: tiny });
    const figures = await measureCalls(client, counts);
    client.close();
    return figures;
  } finally {
    endProcessesOf(home.folder);
    home.remove();
  }
}

async function measureGateway(gateway, { node, counts, unavailable }) {
  if (unavailable.has(gateway.id))
    throw new Error(`${describePeer(gateway.id)}: ${unavailable.get(gateway.id)}`);
  const called = await withGateway(gateway, { node, start: startTiny }, async ({ client, readyMs }) => ({
    readyMs,
    ...(await measureCalls(client, counts)),
  }));
  if (gateway.isForOne) return called;
  const listed = await withGateway(gateway, { node, start: startTen }, async ({ client, memoryMb }) => {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const memory = memoryMb();
    return { memoryMb: memory, listMs: await measureLists(client, counts) };
  });
  return { ...called, ...listed };
}

/** Calls the echo tool one after the other, then sixteen at once. */
async function measureCalls(client, { warmUp, calls, burst }) {
  const { name } = (await listAll(client, (tools) => tools.some(isEcho))).find(isEcho);
  const call = async () => {
    const { content } = await client.request("tools/call", { name, arguments: { text: "hello" } });
    if (content?.[0]?.text !== "hello") throw new Error("a wrong result"); // a fast wrong result must not count
  };
  await repeat(warmUp, 1, call);
  const alone = await repeat(calls, 1, call);
  await repeat(warmUp, AT_ONCE, call);
  const together = await repeat(burst, AT_ONCE, call);
  return {
    p50Us: percentile(alone.each, 0.5) * 1_000,
    rate: together.rate,
    p99Ms: percentile(together.each, 0.99),
  };
}

async function measureLists(client, { lists }) {
  await listAll(client, (tools) => tools.filter(({ name }) => name.includes("look_up_")).length === TOOLS);
  const list = () => client.request("tools/list", {});
  await repeat(20, 1, list);
  return percentile((await repeat(lists, 1, list)).each, 0.5);
}

/** Returns the tools, once they are complete. Some gateways connect to their servers after they accept clients. */
async function listAll(client, isComplete) {
  const until = performance.now() + 20_000;
  for (;;) {
    const { tools } = await client.request("tools/list", {});
    if (isComplete(tools)) return tools;
    if (performance.now() > until) throw new Error(`its list of tools is incomplete (${tools.length})`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const isEcho = ({ name }) => /(?:^|[^a-z])echo$/.test(name);

/** Runs an action `count` times, `atOnce` at the same time. Returns the sorted durations in milliseconds, and the rate per second. */
async function repeat(count, atOnce, act) {
  const each = [];
  let left = count;
  const began = performance.now();
  const work = async () => {
    while (left-- > 0 && performance.now() - began < LONGEST_MS) {
      const start = performance.now();
      await act();
      each.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { rate: (each.length / (performance.now() - began)) * 1_000, each: each.sort((a, b) => a - b) };
}

function describe(contestants, results) {
  const median = (id, number) => {
    const value = summarize(results.get(id), number)?.median;
    return Number.isNaN(value) ? undefined : value; // not every contestant has every figure
  };
  const added = (id) => {
    const [own, bare] = [median(id, "p50Us"), median("direct", "p50Us")];
    return own === undefined || bare === undefined ? undefined : own - bare;
  };
  const measured = contestants.filter(({ id }) => results.get(id).failure === undefined);
  return {
    name: "gateway",
    title: "Calls through a gateway",
    head: [
      "gateway",
      "p50 µs",
      "added µs",
      "vs hand-written",
      "calls/s, 16 at once",
      "vs hand-written",
      "p99 ms",
      "200 tools, ms",
      "vs hand-written",
      "ready ms",
      "RSS, ten servers, MB",
    ],
    rows: measured.map(({ id, label }) => [
      label,
      digits(median(id, "p50Us")),
      digits(added(id)),
      times(added(id), added("hand-written")),
      digits(median(id, "rate")),
      times(median(id, "rate"), median("hand-written", "rate")),
      digits(median(id, "p99Ms")),
      digits(median(id, "listMs")),
      times(median(id, "listMs"), median("hand-written", "listMs")),
      digits(median(id, "readyMs")),
      digits(median(id, "memoryMb")),
    ]),
    notes: [
      ...judge(median, added, measured),
      "One client calls a tiny echo server over Streamable HTTP through each gateway; load generator, gateway and server share the machine's cores. `no gateway` is the client connected to the server itself.",
      "supergateway offers one stdio server. The memory is that of the gateway's own process, one second after it accepts clients.",
    ],
    ...reportOf(contestants, results),
  };
}

/** Returns one line per goal. */
function judge(median, added, measured) {
  const ratio = (one, other) => (one === undefined || other === undefined ? undefined : one / other);
  const peers = measured.filter(({ isPeer }) => isPeer).map(({ id }) => id);
  const best = (values, pick) =>
    values.some((value) => value !== undefined)
      ? pick(...values.filter((value) => value !== undefined))
      : undefined;
  const bestAdded = best(peers.map(added), Math.min);
  const bestRate = best(
    peers.map((id) => median(id, "rate")),
    Math.max,
  );
  const bestMemory = best(
    peers.map((id) => median(id, "memoryMb")),
    Math.min,
  );
  const rate = median("plugboard", "rate");
  return [
    `Time added to a call: ${atMost(goals.gatewayAddedTimesHandWritten, "× hand-written", ratio(added("plugboard"), added("hand-written")))}, ${atMost(goals.gatewayAddedTimesPeer, "× the best other gateway", ratio(added("plugboard"), bestAdded))}.`,
    `Calls per second: ${atLeast(goals.gatewayRateTimesHandWritten, "× hand-written", ratio(rate, median("hand-written", "rate")))}, above every other gateway ${mark(rate > (bestRate ?? 0))}.`,
    `List of 200 tools: ${atMost(goals.gatewayListTimesHandWritten, "× hand-written", ratio(median("plugboard", "listMs"), median("hand-written", "listMs")))}.`,
    `Memory with ten servers: ${atMost(goals.gatewayMemoryTimesPeer, "× the best other gateway", ratio(median("plugboard", "memoryMb"), bestMemory))}.`,
  ];
}
