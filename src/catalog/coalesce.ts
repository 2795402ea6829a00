import type { Clock } from "../platform/index.ts";

export interface Coalesced<T> {
  ask(item: T): void;
  /** Nothing runs any more. */
  stop(): void;
}

/** Runs at once, then rests; what is asked for meanwhile is done together when the rest is over. `run` never rejects. */
export function coalesce<T>(
  clock: Clock,
  restMs: number,
  run: (items: ReadonlySet<T>) => Promise<void>,
): Coalesced<T> {
  let waiting = new Set<T>();
  const over = new AbortController();
  let isResting = false;
  let wake = (): void => {};
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const callOff = clock.after(restMs, resolve);
      wake = () => {
        callOff();
        resolve();
      };
    });
  const start = async (): Promise<void> => {
    isResting = true;
    while (waiting.size > 0 && !over.signal.aborted) {
      const items = waiting;
      waiting = new Set();
      await Promise.all([run(items), rest()]);
    }
    isResting = false;
  };
  return {
    ask(item) {
      waiting.add(item);
      if (!isResting && !over.signal.aborted) void start();
    },
    stop() {
      over.abort();
      wake();
    },
  };
}
