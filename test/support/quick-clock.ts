import type { Clock } from "../../src/platform/index.ts";

/** From here on it is a time-out, which must not run out on a busy machine. */
const TIME_OUT_MS = 30_000;

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
      const timer = setTimeout(
        () => {
          pending.delete(timer);
          callback();
        },
        ms < TIME_OUT_MS ? ms * fraction : ms,
      );
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
