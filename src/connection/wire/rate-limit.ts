import { type Clock, elapsed } from "../../platform/index.ts";

/** Returns a function that returns whether another event is allowed: at most `count` within any `windowMs`. */
export function createRateLimit(clock: Clock, count: number, windowMs: number): () => boolean {
  const passed: number[] = [];
  return () => {
    const now = elapsed(clock);
    while (passed[0] !== undefined && passed[0] <= now - windowMs) passed.shift();
    if (passed.length >= count) return false;
    passed.push(now);
    return true;
  };
}
