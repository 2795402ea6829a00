import { type Clock, elapsed } from "../../platform/index.ts";

/** Something with a deadline, which may be extended. */
export interface Deadline {
  dueAt: number;
}

/** Returns how long to wait for a response. */
export function silenceOf({
  timeoutMs,
  wholeMs = timeoutMs,
}: {
  readonly timeoutMs: number;
  readonly wholeMs?: number | undefined;
}): number {
  return Math.min(timeoutMs, wholeMs);
}

/** The longest delay of a timer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Watches many deadlines with one timer, because one timer per request would double its cost. The timer is set for the earliest
 * deadline and is not reset when that deadline is met or extended. It does not keep the process alive.
 */
export class Deadlines<T extends Deadline> {
  readonly #clock: Clock;
  readonly #all: () => Iterable<T>;
  readonly #onDue: (one: T) => void;
  #wakesAt = Number.POSITIVE_INFINITY;
  #stopTimer = (): void => {};

  constructor(clock: Clock, all: () => Iterable<T>, onDue: (one: T) => void) {
    this.#clock = clock;
    this.#all = all;
    this.#onDue = onDue;
  }

  /** The current time for deadlines. It is monotonic if the clock supports that. */
  now(): number {
    return elapsed(this.#clock);
  }

  /** Must be called for every new deadline and for every deadline that moves to an earlier time. */
  watch({ dueAt }: T): void {
    if (dueAt >= this.#wakesAt) return;
    this.#stopTimer();
    this.#wakesAt = dueAt;
    const wait = Math.min(Math.max(0, dueAt - this.now()), LONGEST_WAIT_MS);
    this.#stopTimer = this.#clock.after(wait, () => this.#wake(), { background: true });
  }

  stop(): void {
    this.#stopTimer();
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #wake(): void {
    // Trust the timer rather than the clock, which may have been changed.
    const now = Math.max(this.now(), this.#wakesAt);
    this.#wakesAt = Number.POSITIVE_INFINITY;
    for (const one of this.#all()) if (one.dueAt <= now) this.#onDue(one);
    for (const one of this.#all()) this.watch(one);
  }
}
