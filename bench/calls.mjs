/** Part `calls`: the cost of a tool call in a process that is already connected. */
import { atLeast, atMost, belowAll, goals } from "./goals.mjs";
import { inProcessContestants, measureInOwnProcess, pinToOneCore } from "./in-process.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { digits, times } from "./print.mjs";

/** Each transport has its own hand-written baseline. */
const transports = [
  { name: "stdio", task: "calls", p50Goal: goals.callP50TimesHandWritten },
  {
    name: "stdio from a cold start",
    task: "calls",
    isCold: true,
    p50Goal: goals.coldCallP50TimesHandWritten,
    cpuGoal: goals.coldCallCpuTimesHandWritten,
  },
  { name: "HTTP", task: "http-calls", p50Goal: goals.httpCallP50TimesHandWritten },
];

/** The first calls of a process, whose code is not compiled yet. */
const coldLoad = { warmUp: 0, sequential: 2000, concurrent: 2000, inFlight: 32 };

/** Measures sequential and concurrent calls on a tiny server, over stdio and over Streamable HTTP. */
export async function measureCalls({ rounds, isQuick, unavailable, announce }) {
  const load = isQuick
    ? { warmUp: 200, sequential: 500, concurrent: 2000, inFlight: 32 }
    : { warmUp: 5000, sequential: 3000, concurrent: 8000, inFlight: 32 };
  const pinned = await pinToOneCore();
  const contestants = transports.flatMap((transport) =>
    inProcessContestants(unavailable).map((contestant) => ({
      ...contestant,
      client: contestant.id,
      id: `${contestant.id} ${transport.name}`,
      label: `${contestant.label}, ${transport.name}`,
      transport,
      sample: () =>
        measureInOwnProcess(contestant, transport.task, transport.isCold ? coldLoad : load, pinned),
    })),
  );
  const results = await measureInRounds(contestants, rounds, announce);
  return describe(contestants, results, load, pinned.length > 0);
}

function describe(contestants, results, load, isPinned) {
  return {
    name: "calls",
    title: "Calls in a connected process, tiny server",
    head: ["client", "p50 µs", "ratio", "p99 µs", "CPU µs", "ratio", "calls/s, 32 at once", "ratio", "goal"],
    rows: transports.flatMap((transport) =>
      rowsOf(
        transport,
        contestants.filter((contestant) => contestant.transport === transport),
        results,
      ),
    ),
    notes: [
      `From a cold start: the first ${coldLoad.sequential} calls of a process.`,
      `Otherwise ${load.sequential} sequential calls, then ${load.concurrent} with ${load.inFlight} at once, after ${load.warmUp} to warm up.`,
      "Over HTTP, responses are JSON and connections stay open; hand-written is a loop on `node:http`.",
      isPinned ? "Client and server share one core." : "Client and server run on any core.",
      "CPU is the client's CPU time per sequential call.",
    ],
    ...reportOf(contestants, results),
  };
}

function rowsOf(transport, contestants, results) {
  const median = (id, number) => summarize(results.get(id), number)?.median;
  const yardstickId = `hand-written ${transport.name}`;
  const baseline = {
    p50: median(yardstickId, "p50Micros"),
    cpu: median(yardstickId, "cpuMicros"),
    rate: median(yardstickId, "callsPerSecond"),
  };
  const peers = contestants.filter(({ isPeer }) => isPeer).map(({ id }) => median(id, "p50Micros"));
  return contestants
    .filter(({ id }) => results.get(id).failure === undefined)
    .map(({ id, client, label }) => {
      const [p50, p99] = [median(id, "p50Micros"), median(id, "p99Micros")];
      const [cpu, rate] = [median(id, "cpuMicros"), median(id, "callsPerSecond")];
      const sequential = [
        digits(p50),
        times(p50, baseline.p50),
        digits(p99),
        digits(cpu),
        times(cpu, baseline.cpu),
      ];
      const goal = client === "plugboard" ? judge(transport, { p50, cpu, rate }, baseline, peers) : "";
      return [label, ...sequential, digits(rate), times(rate, baseline.rate), goal];
    });
}

function judge({ name, p50Goal, cpuGoal }, { p50, cpu, rate }, baseline, peers) {
  if (baseline.p50 === undefined) return "";
  return [
    atMost(p50Goal, "× p50", p50 / baseline.p50),
    cpuGoal !== undefined && atMost(cpuGoal, "× CPU", cpu / baseline.cpu),
    name === "stdio" && atLeast(goals.concurrentRateTimesHandWritten, "× calls/s", rate / baseline.rate),
    belowAll(p50, peers),
  ]
    .filter((goal) => goal)
    .join(", ");
}
