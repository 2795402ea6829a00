export type ConcurrencyLimit = <T>(
  signal: AbortSignal,
  action: (outsideTurn: OutsideTurn) => Promise<T>,
) => Promise<T>;

/** Gives the turn to another action while this work lasts. */
export type OutsideTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets `limit()` actions run at a time; the others wait in order, or leave when their signal fires. */
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

  /** Nothing to wait for if there is room. */
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
    const outsideTurn: OutsideTurn = async (work) => {
      isInside = false;
      leave();
      const result = await work();
      await enter(signal);
      isInside = true;
      return result;
    };
    try {
      signal.throwIfAborted(); // it may have left between being called in and entering
      return await action(outsideTurn);
    } finally {
      if (isInside) leave();
    }
  };
}
