import type { Clock } from "../../src/platform/index.ts";

/** A clock on which waiting takes a fraction of the time and is remembered, so that long waits can be seen in a test. */
export function createQuickClock(fraction = 0.01): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => Date.now(),
    after(ms, callback) {
      waits.push(ms);
      const timer = setTimeout(callback, ms * fraction);
      return () => clearTimeout(timer);
    },
  };
}
