import type { Cancellation } from "../../platform/index.ts";

/** Calls one exchange off. An `AbortController` does the same at ten times the cost, and every request needs one. */
export class HangUp implements Cancellation {
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
