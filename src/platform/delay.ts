import type { Cancellation, Clock } from "./ports.ts";

/**
 * Resolves after `ms`, or when the signal fires. Clears the timer in that case, because it would keep the process
 * alive.
 */
export function delay(clock: Clock, ms: number, signal?: Cancellation): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    let stopTimer = (): void => {}; // a clock may call back synchronously
    const done = (): void => {
      stopTimer();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    stopTimer = clock.after(ms, done);
    signal?.addEventListener("abort", done);
  });
}

/** Resolves when the work settles, or after `ms` at the latest. */
export async function settledWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let stopTimer = (): void => {};
  const late = new Promise<void>((resolve) => {
    stopTimer = clock.after(ms, resolve);
  });
  await Promise.race([work.catch(() => undefined), late]);
  stopTimer();
}
