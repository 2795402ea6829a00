export type Turnstile = <T>(signal: AbortSignal, action: () => Promise<T>) => Promise<T>;

/** Lets `limit()` actions run at a time; the others wait in order, or leave when their signal fires. */
export function createTurnstile(limit: () => number): Turnstile {
  let running = 0;
  const waiting: (() => void)[] = [];

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      waiting.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });

  return async (signal, action) => {
    signal.throwIfAborted();
    if (running >= limit()) await turn(signal);
    else running += 1;
    try {
      signal.throwIfAborted(); // it may have left between being called in and entering
      return await action();
    } finally {
      const enterNext = waiting.shift();
      if (enterNext === undefined) running -= 1;
      else enterNext();
    }
  };
}
