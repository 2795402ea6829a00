/** Part `connect`: from nothing to all servers connected and listed, and the memory that takes. */
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

/** One fresh process per count, so that the memory of 20 servers is not that of 31. */
async function connectAllCounts(contestant) {
  const numbers = {};
  for (const servers of counts) {
    const { firstMs, connectMs, rssMegabytes } = await measureInOwnProcess(contestant, "connect", {
      servers,
    });
    Object.assign(numbers, { firstMs, [`connect${servers}Ms`]: connectMs, rssMegabytes });
  }
  return numbers;
}

function describe(contestants, results) {
  const median = (id, number) => summarize(results.get(id), number)?.median;
  const twenty = median("hand-written", "connect20Ms");
  const memory = median("hand-written", "rssMegabytes");
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
        const goal = id === "plugboard" && twenty !== undefined ? judge(last / twenty, rss / memory) : "";
        return [label, ...ms, times(last, twenty), digits(rss), times(rss, memory), goal];
      }),
    notes: [
      "All servers at once, until each has listed its tools, in a process that has loaded the library and connected before; the first column is that first time, loading included.",
      "RSS is the client process alone.",
    ],
    ...reportOf(contestants, results),
  };
}

function judge(twentyRatio, memoryRatio) {
  return [
    atMost(goals.connectTwentyTimesHandWritten, "× 20", twentyRatio),
    atMost(goals.rssTimesHandWritten, "× RSS", memoryRatio),
  ].join(", ");
}
