import type { Clock } from "./ports.ts";

/** Returns a time for measuring durations. It is monotonic if the clock has a monotonic time. */
export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}
