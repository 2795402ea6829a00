import { codeOf } from "../model/index.ts";

/** `fetch` says "fetch failed" and hides the reason one or two causes deep. */
export function networkFailure(error: unknown): string | undefined {
  let fetchFailed = false;
  let reason: string | undefined;
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 6;
    cause = cause.cause, depth += 1
  ) {
    fetchFailed ||= cause instanceof TypeError && cause.message === "fetch failed";
    reason = codeOf(cause) ?? cause.message;
  }
  return fetchFailed ? reason : undefined;
}
