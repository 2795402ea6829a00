import type { Cancellation, Clock } from "./ports.ts";

/** Resolves after `ms`, or as soon as the signal fires: a timer that nobody waits for keeps a process alive. */
export function delay(clock: Clock, ms: number, signal?: Cancellation): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    let stopTimer = (): void => {}; // a clock may call back at once
    const done = (): void => {
      stopTimer();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    stopTimer = clock.after(ms, done);
    signal?.addEventListener("abort", done);
  });
}

/** Resolves when the work is over, however it ended, and at the latest after `ms`. */
export async function settledWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let stopTimer = (): void => {};
  const late = new Promise<void>((resolve) => {
    stopTimer = clock.after(ms, resolve);
  });
  await Promise.race([work.catch(() => undefined), late]);
  stopTimer();
}
