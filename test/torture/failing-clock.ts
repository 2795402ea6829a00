import type { Clock } from "../../src/platform/index.ts";
import type { Fate } from "./fate.ts";

const HOUR_MS = 3_600_000;

/**
 * A clock. It cannot fail, but it can be set, and a wait can end too early. `timePasses` is how much faster it runs.
 */
export function createFailingClock(
  real: Clock,
  fate: Fate,
  timePasses: number,
): { readonly clock: Clock; readonly timers: () => number } {
  const start = real.now();
  let setTo = 0;
  let slept = 0;
  const waiting = new Set<symbol>();
  const passed = (): number => (real.now() - start) * timePasses;
  const clock: Clock = {
    now() {
      if (fate.isDue("clock.now: the time of day is set")) setTo += fate.pick([HOUR_MS, -HOUR_MS]);
      return start + passed() + setTo;
    },
    elapsed() {
      if (fate.isDue("clock.elapsed: an hour passes")) slept += HOUR_MS;
      return passed() + slept;
    },
    after(ms, callback, options) {
      const timer = Symbol();
      if (options?.background !== true) waiting.add(timer);
      const wait = fate.isDue(`clock.after ${ms}: at once`) ? 0 : ms / timePasses;
      const stop = real.after(
        wait,
        () => {
          waiting.delete(timer);
          callback();
        },
        options,
      );
      return () => {
        waiting.delete(timer);
        stop();
      };
    },
  };
  return { clock, timers: () => waiting.size };
}
