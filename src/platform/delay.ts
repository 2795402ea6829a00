import type { Clock } from "./ports.ts";

/** Resolves after `ms`. */
export function delay(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
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
