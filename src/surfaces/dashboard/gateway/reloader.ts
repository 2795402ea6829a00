/** A document that changes all the time is loaded at most this often. */
const SHORTEST_MS = 1_000;

export interface Reloader {
  /** Loads again. All requests that arrive during a load cause one more load. */
  request(): void;
  stop(): void;
}

/** Runs `loadOnce` on request: one at a time, and not too often. A started load always finishes. */
export function startReloader(loadOnce: (signal: AbortSignal) => Promise<void>): Reloader {
  const aborting = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let isRequested = false;
  let startedAt = Number.NEGATIVE_INFINITY;

  const start = async (): Promise<void> => {
    timer = undefined;
    isLoading = true;
    isRequested = false;
    startedAt = Date.now();
    await loadOnce(aborting.signal);
    isLoading = false;
    if (isRequested) schedule();
  };

  const schedule = (): void => {
    timer ??= setTimeout(() => void start(), Math.max(0, startedAt + SHORTEST_MS - Date.now()));
  };

  return {
    request() {
      if (aborting.signal.aborted) return;
      if (isLoading) isRequested = true;
      else schedule();
    },
    stop() {
      aborting.abort();
      clearTimeout(timer);
    },
  };
}
