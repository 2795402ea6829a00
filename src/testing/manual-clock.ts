import type { Clock } from "../platform/index.ts";

/** A clock that a test controls. */
export interface ManualClock extends Clock {
  /** Advances the time by `ms` milliseconds and runs all timers that are due, in order. */
  advance(ms: number): void;
}

/** Creates a clock whose time changes only with `advance`. `start` is its initial time in milliseconds. */
export function createManualClock(start = 0): ManualClock {
  let now = start;
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { due: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers]
          .filter(({ due }) => due <= end)
          .sort((left, right) => left.due - right.due);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.due);
        next.callback();
      }
      now = end;
    },
  };
}
