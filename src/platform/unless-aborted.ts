/** Stops waiting when the signal fires, for the reason given; the work goes on, since others may be waiting for it. None begins once it fired. */
export function unlessAborted<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  reason?: () => Error,
): Promise<T> {
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reason?.() ?? signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work()
      .finally(() => signal.removeEventListener("abort", abort))
      .then(resolve, reject);
  });
}
