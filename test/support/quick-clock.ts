import type { Clock } from "../../src/platform/index.ts";

/** A clock on which waiting takes a fraction of the time and is remembered, so that long waits can be seen in a test. */
export function createQuickClock(fraction = 0.01): QuickClock {
  const waits: number[] = [];
  const pending = new Set<unknown>();
  return {
    waits,
    pending: () => pending.size,
    now: () => Date.now(),
    after(ms, callback) {
      waits.push(ms);
      const timer = setTimeout(() => {
        pending.delete(timer);
        callback();
      }, ms * fraction);
      pending.add(timer);
      return () => {
        pending.delete(timer);
        clearTimeout(timer);
      };
    },
  };
}

export interface QuickClock extends Clock {
  /** Every wait that was asked for, in full. */
  readonly waits: readonly number[];
  /** How many timers would still keep a process alive. */
  pending(): number;
}
