import type { Clock, HttpResponse } from "../../platform/index.ts";

/** A body that does not end within this time is cancelled, and its connection with it. */
const LONGEST_MS = 1_000;
const LARGEST = 64 * 1024;
/** How many bodies are read at the same time. Each takes a connection. */
const MOST_AT_ONCE = 16;

/** Reads response bodies that are not needed to their end, so that their connections can be used again. */
export class UnusedBodies {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the body has ended or was cancelled. Never rejects. */
  discard(response: HttpResponse): Promise<void> {
    if (this.#cancels.size >= MOST_AT_ONCE) {
      response.cancel();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      let stopTimer = (): void => {}; // a clock may call back immediately
      const end = (): void => {
        stopTimer();
        this.#cancels.delete(cancel);
        resolve();
      };
      const cancel = (): void => {
        response.cancel();
        end();
      };
      this.#cancels.add(cancel);
      stopTimer = this.#clock.after(LONGEST_MS, cancel, { background: true });
      let size = 0;
      response.read((chunk) => {
        size += chunk.length;
        if (size > LARGEST) cancel();
      }, end);
    });
  }

  /** Cancels all bodies that are being read. */
  close(): void {
    for (const cancel of this.#cancels) cancel();
  }
}
