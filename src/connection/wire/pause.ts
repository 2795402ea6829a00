import type { Clock } from "../../platform/index.ts";

/** Resolves after `ms`, or as soon as the signal fires; a timer that nobody waits for would keep the process alive. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    let stopTimer = (): void => {};
    const done = (): void => {
      stopTimer();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    if (signal?.aborted) {
      resolve();
      return;
    }
    stopTimer = clock.after(ms, done);
    signal?.addEventListener("abort", done);
  });
}
