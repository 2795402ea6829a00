import type { Clock } from "../platform/index.ts";

const MOST = 10_000;
const LONGEST_MS = 60_000;

/** Caches the results of token checks by hash and resource, for at most a minute. Checking a signature takes longer than handling the request. */
export class VerdictCache<T> {
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): T | undefined {
    const known = this.#known.get(key);
    if (known === undefined || known.until > this.#clock.now()) return known?.value;
    this.#known.delete(key);
    return undefined;
  }

  /** Keeps a value, at the longest until the token expires. */
  set(key: string, value: T, expiresAt: number): void {
    this.#known.delete(key);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, { value, until: Math.min(expiresAt, this.#clock.now() + LONGEST_MS) });
  }
}
