import type { Clock } from "../platform/index.ts";

/** A function that handles items in batches. */
export interface Batcher<T> {
  /** Adds an item to the next batch. */
  ask(item: T): void;
  /** Stops all further batches. */
  stop(): void;
}

/** Handles the first item immediately. Items that arrive within `restMs` after that are handled in one batch. `run` must not reject. */
export function coalesce<T>(
  clock: Clock,
  restMs: number,
  run: (items: ReadonlySet<T>) => Promise<void>,
): Batcher<T> {
  let waiting = new Set<T>();
  const stopping = new AbortController();
  let isPaused = false;
  let wake = (): void => {};
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const stopTimer = clock.after(restMs, resolve);
      wake = () => {
        stopTimer();
        resolve();
      };
    });
  const start = async (): Promise<void> => {
    isPaused = true;
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const items = waiting;
      waiting = new Set();
      await Promise.all([run(items), rest()]);
    }
    isPaused = false;
  };
  return {
    ask(item) {
      waiting.add(item);
      if (!isPaused && !stopping.signal.aborted) void start();
    },
    stop() {
      stopping.abort();
      wake();
    },
  };
}
