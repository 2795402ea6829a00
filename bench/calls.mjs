/** Part `calls`: what one tool call costs inside a process that is already connected. */
import { atLeast, atMost, belowAll, goals } from "./goals.mjs";
import { inProcessContestants, measureInOwnProcess, pinToOneCore } from "./in-process.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { digits, times } from "./print.mjs";

/** Measures sequential and concurrent calls on a tiny stdio server. */
export async function measureCalls({ rounds, isQuick, unavailable, announce }) {
  const load = isQuick
    ? { warmUp: 200, sequential: 500, concurrent: 2000, inFlight: 32 }
    : { warmUp: 1000, sequential: 2000, concurrent: 8000, inFlight: 32 };
  const pinned = await pinToOneCore();
  const contestants = inProcessContestants(unavailable).map((contestant) => ({
    ...contestant,
    sample: () => measureInOwnProcess(contestant, "calls", load, pinned),
  }));
  const results = await measureInRounds(contestants, rounds, announce);
  return describe(contestants, results, load, pinned.length > 0);
}

function describe(contestants, results, load, isPinned) {
  const median = (id, number) => summarize(results.get(id), number)?.median;
  const yardstick = {
    p50: median("hand-written", "p50Micros"),
    cpu: median("hand-written", "cpuMicros"),
    rate: median("hand-written", "callsPerSecond"),
  };
  const peers = contestants.filter(({ isPeer }) => isPeer).map(({ id }) => median(id, "p50Micros"));
  return {
    name: "calls",
    title: "Calls in a connected process, tiny stdio server",
    head: ["client", "p50 µs", "ratio", "p99 µs", "CPU µs", "ratio", "calls/s, 32 at once", "ratio", "goal"],
    rows: contestants
      .filter(({ id }) => results.get(id).failure === undefined)
      .map(({ id, label }) => {
        const [p50, p99] = [median(id, "p50Micros"), median(id, "p99Micros")];
        const [cpu, rate] = [median(id, "cpuMicros"), median(id, "callsPerSecond")];
        const sequential = [
          digits(p50),
          times(p50, yardstick.p50),
          digits(p99),
          digits(cpu),
          times(cpu, yardstick.cpu),
        ];
        const goal = id === "plugboard" ? judge(p50, rate, yardstick, peers) : "";
        return [label, ...sequential, digits(rate), times(rate, yardstick.rate), goal];
      }),
    notes: [
      `${load.sequential} sequential calls, then ${load.concurrent} with ${load.inFlight} under way, after ${load.warmUp} to warm up.`,
      isPinned
        ? "Client and server share one core."
        : "Client and server run on whichever cores the system picks.",
      "CPU is the client's own, per sequential call.",
    ],
    ...reportOf(contestants, results),
  };
}

function judge(p50, rate, yardstick, peers) {
  if (yardstick.p50 === undefined) return "";
  return [
    atMost(goals.callP50TimesHandWritten, "× p50", p50 / yardstick.p50),
    atLeast(goals.concurrentRateTimesHandWritten, "× calls/s", rate / yardstick.rate),
    belowAll(p50, peers),
  ]
    .filter((goal) => goal !== "")
    .join(", ");
}
