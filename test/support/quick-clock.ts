import type { Clock } from "../../src/platform/index.ts";

/** Longer waits are timeouts, which must not expire on a busy machine. */
const TIME_OUT_MS = 30_000;

/** A clock that shortens and records waits, so that a test can check long waits. */
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
  /** Every requested wait, in full length. */
  readonly waits: readonly number[];
  /** How many timers would still keep a process alive. */
  pending(): number;
}
