import type { RequestOptions } from "./connection.ts";
import type { WireFailure } from "./wire/wire-error.ts";

/** The longest total wait that a server can request. */
const LONGEST_WAIT_MS = 60_000;
/** Short, so that the caller soon learns that the server is unreachable. */
const REFUSED_WAIT_MS = 100;
const READS: ReadonlySet<string> = new Set(["resources/read", "prompts/get", "completion/complete", "ping"]);

/** The state of a request that has failed. */
export interface Attempt {
  readonly method: string;
  readonly options: RequestOptions;
  readonly modern: boolean;
  /** How many times it was sent. */
  readonly count: number;
  /** The total wait between attempts so far. */
  readonly waitedMs: number;
}

/**
 * Returns how long to wait before a request is sent again, or `undefined` if it must not be. A call that may have reached the
 * tool is only sent again if `repeatable` is set.
 */
export function resendDelayMs(failure: WireFailure | undefined, attempt: Attempt): number | undefined {
  const { method, options, modern, count, waitedMs } = attempt;
  // In both cases the tool did not receive the request. A server that refuses connections may be restarting.
  if (failure?.kind === "sessionGone") return count === 1 ? 0 : undefined;
  if (failure?.kind === "unreachable" && failure.reason === "ECONNREFUSED")
    return count === 1 ? REFUSED_WAIT_MS : undefined;
  const isRead = method.endsWith("/list") || READS.has(method);
  if (!isRead && options.repeatable !== true) return undefined;
  switch (failure?.kind) {
    case "status": {
      const { status, retryAfterMs } = failure;
      if ((status !== 429 && status !== 503) || retryAfterMs === undefined) return undefined;
      const waitMs = Math.max(retryAfterMs, 100); // a server that returns 0 every time would cause an endless loop
      return waitedMs + waitMs <= Math.min(options.timeoutMs, LONGEST_WAIT_MS) ? waitMs : undefined;
    }
    case "unreachable":
      // Requests other than calls were already sent again by `exchange`.
      return count === 1 && !isRead && failure.reused === true ? 0 : undefined;
    case "streamLost":
      return count === 1 && modern ? 0 : undefined; // legacy streams were already resumed
    default:
      return undefined;
  }
}
