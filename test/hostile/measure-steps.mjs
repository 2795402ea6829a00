import { setImmediate as nextTurn } from "node:timers/promises";
import { watchStalls } from "../support/watch-stalls.mjs";

/** Measures how long each step blocks the event loop, and how much memory the process takes from now on. */
export function measureSteps() {
  const before = process.memoryUsage.rss();
  const stalls = watchStalls();
  const steps = {};
  return {
    /** Runs a step. Returns its value or its error. */
    async step(name, run) {
      const value = await run().catch((error) => error);
      await nextTurn();
      steps[name] = {
        stallMs: Math.round(stalls.take()),
        ...(value instanceof Error && { error: value.message.slice(0, 200) }),
      };
      return value;
    },
    /** Prints the longest stall, the growth of memory, the steps and whatever else is given, as JSON. */
    print(more = {}) {
      const growthMb = Math.round((process.resourceUsage().maxRSS * 1024 - before) / 1024 / 1024);
      const stallMs = Math.max(...Object.values(steps).map((step) => step.stallMs));
      process.stdout.write(`${JSON.stringify({ stallMs, growthMb, ...more, steps })}\n`);
    },
  };
}
