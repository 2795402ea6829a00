import { type Clock, elapsed, type Log } from "../platform/index.ts";
import type { RequestObserver } from "./wire/request-observer.ts";

/** Logs every request of a connection with its duration and outcome, but without its arguments and result. */
export function logRequests(server: string, { log, clock }: { log: Log; clock: Clock }): RequestObserver {
  return ({ id, method, params: { name } }) => {
    const startedAt = elapsed(clock);
    return {
      ended(failure) {
        const durationMs = Math.round(elapsed(clock) - startedAt);
        log.log("debug", "request.finished", {
          server,
          method,
          ...(typeof name === "string" && { name }),
          requestId: id,
          durationMs,
          outcome: failure?.type ?? "ok",
        });
      },
    };
  };
}
