import type { Clock } from "./ports.ts";

/** For measuring how long something takes: it only grows, where the clock has such a time. The time of day may be set meanwhile. */
export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}
