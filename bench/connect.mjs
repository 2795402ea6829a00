/** Part `connect`: time and memory until all servers are connected and listed. */
import { atMost, goals } from "./goals.mjs";
import { inProcessContestants, measureInOwnProcess } from "./in-process.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { digits, times } from "./print.mjs";

const counts = [1, 10, 20];

/** Measures connecting 1, 10 and 20 tiny stdio servers at once. */
export async function measureConnecting({ rounds, unavailable, announce }) {
  const contestants = inProcessContestants(unavailable).map((contestant) => ({
    ...contestant,
    sample: () => connectAllCounts(contestant),
  }));
  const results = await measureInRounds(contestants, rounds, announce);
  return describe(contestants, results);
}

/** Uses a new process for each count, so that the memory of 20 servers does not include that of the others. */
async function connectAllCounts(contestant) {
  const numbers = {};
  for (const servers of counts) {
    const isLast = servers === counts.at(-1);
    const task = { servers, slow: isLast, stubborn: isLast && contestant.id === "plugboard" };
    const { connectMs, ...others } = await measureInOwnProcess(contestant, "connect", task);
    Object.assign(numbers, { ...others, [`connect${servers}Ms`]: connectMs });
  }
  return numbers;
}

function describe(contestants, results) {
  const median = (id, number) => summarize(results.get(id), number)?.median;
  const twenty = median("hand-written", "connect20Ms");
  const memory = median("hand-written", "rssMegabytes");
  const slow = median("hand-written", "slowMs");
  return {
    name: "connect",
    title: "Connecting tiny stdio servers",
    head: [
      "client",
      "load + first, ms",
      "1, ms",
      "10, ms",
      "20, ms",
      "ratio",
      "CPU with 20, ms",
      "20 slow, ms",
      "ratio",
      "RSS with 20, MB",
      "ratio",
      "goal",
    ],
    rows: contestants
      .filter(({ id }) => results.get(id).failure === undefined)
      .map(({ id, label }) => {
        const ms = ["firstMs", ...counts.map((count) => `connect${count}Ms`)].map((number) =>
          digits(median(id, number)),
        );
        const [last, rss] = [median(id, "connect20Ms"), median(id, "rssMegabytes")];
        const [slowly, cpu] = [median(id, "slowMs"), median(id, "cpuMs")];
        const isJudged = id === "plugboard" && twenty !== undefined;
        const goal = isJudged
          ? judge(last / twenty, rss / memory, slowly / slow, cpu / median("sdk-v2", "cpuMs"))
          : "";
        return [
          label,
          ...ms,
          times(last, twenty),
          digits(cpu),
          digits(slowly),
          times(slowly, slow),
          digits(rss),
          times(rss, memory),
          goal,
        ];
      }),
    notes: [
      "All servers at once, until each has listed its tools, in a process that has already loaded the library and connected once. The first column is that first connection, including loading.",
      "20 slow: servers that need 300 ms to start; connected, listed and closed.",
      `Closing a server that ignores the end of its input and SIGTERM: ${digits(median("plugboard", "closeMs"))} ms, including 1,000 ms of intended waiting; ${atMost(1_500, "ms", median("plugboard", "closeMs"))}.`,
      "RSS and CPU are those of the client process only. CPU is its time until all 20 have listed their tools.",
    ],
    ...reportOf(contestants, results),
  };
}

function judge(twentyRatio, memoryRatio, slowRatio, cpuRatio) {
  return [
    atMost(goals.connectTwentyTimesHandWritten, "× 20", twentyRatio),
    Number.isFinite(cpuRatio) && atMost(goals.connectCpuTimesSdk, "× CPU of SDK v2", cpuRatio),
    atMost(goals.slowTwentyTimesHandWritten, "× slow", slowRatio),
    atMost(goals.rssTimesHandWritten, "× RSS", memoryRatio),
  ]
    .filter((goal) => goal)
    .join(", ");
}
