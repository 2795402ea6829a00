import { type Clock, elapsed } from "../platform/index.ts";

const MOST_KEYS = 100_000;

interface Bucket {
  left: number;
  filledAt: number;
}

/** Limits how often each key does something, and how often at once. */
export class RateLimit {
  #perMs: number;
  #burst: number;
  readonly #clock: Clock;
  /** Ordered by their last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }, clock: Clock) {
    this.#perMs = perSecond / 1_000;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Changes the limits. Earlier uses still count. */
  configure({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }): void {
    this.#perMs = perSecond / 1_000;
    this.#burst = burst;
  }

  /** Counts one use. Returns 0, or how long to wait in milliseconds if the limit is reached. */
  take(key: string): number {
    const bucket = this.#current(key);
    if (bucket.left < 1) return Math.ceil((1 - bucket.left) / this.#perMs);
    bucket.left -= 1;
    return 0;
  }

  /** Returns whether the limit is reached, without counting a use. */
  isEmpty(key: string): boolean {
    return this.#current(key).left < 1;
  }

  #current(key: string): Bucket {
    const now = elapsed(this.#clock);
    const known = this.#buckets.get(key) ?? { left: this.#burst, filledAt: now };
    known.left = Math.min(this.#burst, known.left + (now - known.filledAt) * this.#perMs);
    known.filledAt = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, known);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_KEYS && oldest !== undefined) this.#buckets.delete(oldest);
    return known;
  }
}
