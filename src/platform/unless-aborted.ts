import { onAbort } from "./on-abort.ts";

/**
 * Runs work and rejects with `reason` when the signal fires. The work continues, because others may be waiting for it.
 * If the signal has already fired, the work does not start.
 */
export function unlessAborted<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  reason?: () => Error,
): Promise<T> {
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reason?.() ?? signal.reason);
    if (signal.aborted) return abort();
    const stopListening = onAbort(signal, abort);
    work().finally(stopListening).then(resolve, reject);
  });
}
