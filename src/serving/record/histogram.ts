/** Neighbouring buckets differ by this factor, so a percentile is at most 2.5 % off. */
const GROWTH = 1.05;
const SHORTEST_MS = 0.1;
const LOG_GROWTH = Math.log(GROWTH);

/** Counts durations in buckets, so that its size does not depend on how many there are. */
export class Histogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(ms: number): void {
    const bucket = Math.max(0, Math.round(Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / LOG_GROWTH));
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  merge(other: Histogram): void {
    for (const [bucket, count] of other.#buckets)
      this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + count);
    this.#count += other.#count;
  }

  /** Returns the duration that this share of all durations does not exceed; `null` if there are none. */
  percentile(share: number): number | null {
    if (this.#count === 0) return null;
    const wanted = Math.ceil(share * this.#count);
    let seen = 0;
    for (const [bucket, count] of Array.from(this.#buckets).sort(([one], [other]) => one - other)) {
      seen += count;
      if (seen >= wanted) return Math.round(SHORTEST_MS * GROWTH ** bucket * 10) / 10;
    }
    return null;
  }
}
