export type ConcurrencyLimit = <T>(
  signal: AbortSignal,
  action: (outsideTurn: OutsideLimit) => Promise<T>,
) => Promise<T>;

/** Runs work outside of the limit, so that another action can start in the meantime. */
export type OutsideLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most `limit()` actions at a time. The others wait in order and reject when their signal aborts. */
export function createConcurrencyLimit(limit: () => number): ConcurrencyLimit {
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

  /** Returns `undefined` if the action can start immediately. */
  const enter = (signal: AbortSignal): Promise<void> | undefined => {
    signal.throwIfAborted();
    if (running >= limit()) return turn(signal);
    running += 1;
    return undefined;
  };
  const leave = (): void => {
    const enterNext = waiting.shift();
    if (enterNext === undefined) running -= 1;
    else enterNext();
  };

  return async (signal, action) => {
    const waited = enter(signal);
    if (waited !== undefined) await waited;
    let isInside = true;
    const outsideTurn: OutsideLimit = async (work) => {
      isInside = false;
      leave();
      const result = await work();
      await enter(signal);
      isInside = true;
      return result;
    };
    try {
      signal.throwIfAborted(); // it may have been aborted before its turn began
      return await action(outsideTurn);
    } finally {
      if (isInside) leave();
    }
  };
}
