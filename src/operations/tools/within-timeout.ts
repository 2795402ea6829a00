import { callTimeout, HostError } from "../../model/index.ts";
import { type Clock, onAbort } from "../../platform/index.ts";

/** The longest delay of a timer. Longer delays would fire immediately. */
export const LONGEST_MS: number = 2 ** 31 - 1;

/** The time limit of one call, set by its caller. */
interface TimeLimit {
  readonly server: string;
  /** In milliseconds. 0 means no limit. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a call with a signal that also fires when the time is over. The limit covers everything, including the start of
 * the server.
 */
export async function withinTimeout<T>(
  clock: Clock,
  { server, timeout, signal }: TimeLimit,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (typeof timeout !== "number" || !(timeout >= 0))
    throw new HostError(
      "USAGE_INVALID",
      `"timeout" must be a number of milliseconds, not ${String(timeout)}.`,
    );
  const late = new AbortController();
  const ms = timeout === 0 ? LONGEST_MS : Math.min(timeout, LONGEST_MS);
  const stopTimer = clock.after(ms, () => late.abort(callTimeout(server, { ms })));
  // `AbortSignal.any` would leave a part of every call in a signal that lives longer.
  const stopListening = signal && onAbort(signal, () => late.abort(signal.reason));
  try {
    if (signal?.aborted) late.abort(signal.reason);
    return await call(late.signal);
  } finally {
    stopListening?.();
    stopTimer();
  }
}
