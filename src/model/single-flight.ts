/** Promises of running calls, by key. */
export type RunningByKey<T> = Map<string, Promise<T>>;

/**
 * Returns the promise of the running call with this key, or starts one. It is removed from `running` when it settles.
 */
export function singleFlight<T>(running: RunningByKey<T>, key: string, start: () => Promise<T>): Promise<T> {
  const joined = running.get(key);
  if (joined !== undefined) return joined;
  const started = start().finally(() => running.delete(key));
  running.set(key, started);
  return started;
}

/** Wraps a function so that calls made while it runs share one promise. The first call's arguments are used. */
export function sharedRun<Args extends readonly unknown[], T>(
  start: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  let running: Promise<T> | undefined;
  return (...args) => {
    running ??= start(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}
