import type { Cancellation } from "../../platform/index.ts";

/** Cancels one exchange. Every request needs one, and an `AbortController` is ten times as expensive. */
export class Canceller implements Cancellation {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.#listeners) listener();
  }
}
