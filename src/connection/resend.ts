import type { RequestOptions } from "./connection.ts";
import type { WireFailure } from "./wire/wire-error.ts";

/** The longest wait that a server is granted. */
const LONGEST_WAIT_MS = 60_000;
/** Short: whoever waits should soon know that nobody is there. */
const REFUSED_WAIT_MS = 100;
const READS: ReadonlySet<string> = new Set(["resources/read", "prompts/get", "completion/complete", "ping"]);

/** What was sent, and how it went so far. */
export interface Attempt {
  readonly method: string;
  readonly options: RequestOptions;
  readonly modern: boolean;
  /** How often it was sent. */
  readonly count: number;
  /** How long was waited between. */
  readonly waitedMs: number;
}

/**
 * How long to wait before a request is sent again, or nothing when it must not be. A call is never sent again once it
 * may have reached the tool, unless somebody who knows the tool said that it does no harm.
 */
export function resendAfter(failure: WireFailure | undefined, attempt: Attempt): number | undefined {
  const { method, options, modern, count, waitedMs } = attempt;
  // Neither was looked at by the tool; a server that is not there may be about to come back.
  if (failure?.kind === "sessionGone") return count === 1 ? 0 : undefined;
  if (failure?.kind === "unreachable" && failure.reason === "ECONNREFUSED")
    return count === 1 ? REFUSED_WAIT_MS : undefined;
  const isRead = method.endsWith("/list") || READS.has(method);
  if (!isRead && options.repeatable !== true) return undefined;
  switch (failure?.kind) {
    case "status": {
      const { status, retryAfterMs } = failure;
      if ((status !== 429 && status !== 503) || retryAfterMs === undefined) return undefined;
      const waitMs = Math.max(retryAfterMs, 100); // a server that says "now" and refuses again would be asked without end
      return waitedMs + waitMs <= Math.min(options.timeoutMs, LONGEST_WAIT_MS) ? waitMs : undefined;
    }
    case "unreachable":
      // What is no call was sent again already, where it was sent from.
      return count === 1 && !isRead && failure.reused === true ? 0 : undefined;
    case "streamLost":
      return count === 1 && modern ? 0 : undefined; // streams of the legacy era were taken up again already
    default:
      return undefined;
  }
}
