import { type Clock, elapsed } from "../../platform/index.ts";

/** Answers whether one more may pass: at most `count` within any stretch of `windowMs`. */
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
