import { type Clock, elapsed } from "../../platform/index.ts";

/** Something that is over at a time of its own, unless that time is put off. */
export interface Deadline {
  dueAt: number;
}

/** What a timer of the system can hold. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Watches many deadlines with one timer, which is set for the first of them and left alone when that is met or put off: a timer
 * for every request costs as much as all else that keeps it. It does not keep the program alive; whatever is waited for does.
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

  /** The time that deadlines are told in. It only grows, where the clock has such a time. */
  now(): number {
    return elapsed(this.#clock);
  }

  /** To be told of each that is new, and of each that comes sooner than before. */
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
    // The timer is right where it differs from the clock, which may have been set meanwhile.
    const now = Math.max(this.now(), this.#wakesAt);
    this.#wakesAt = Number.POSITIVE_INFINITY;
    for (const one of this.#all()) if (one.dueAt <= now) this.#onDue(one);
    for (const one of this.#all()) this.watch(one);
  }
}
