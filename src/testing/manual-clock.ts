import type { Clock } from "../platform/index.ts";

export interface ManualClock extends Clock {
  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void;
}

/** A clock that stands still until it is moved. */
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
