import type { HostError } from "../../model/index.ts";
import { failureOf } from "../wire/wire-error.ts";

/**
 * Returns whether to try the other HTTP transport after this error, because config files often confuse the two. Not if the
 * server is unreachable, rejects the user, is overloaded, or returned a JSON-RPC error.
 */
export function shouldTryOtherTransport(error: HostError): boolean {
  const failure = failureOf(error.cause);
  switch (failure?.kind) {
    case "notMcp":
    case "streamLost":
      return true;
    case "status":
      return failure.status >= 400 && ![401, 403, 429, 503].includes(failure.status);
    default:
      return false;
  }
}

/** Returns the error that helps the user most. Among equals, the first one, which is for the configured transport. */
export function mostInformativeError(errors: readonly HostError[]): HostError | undefined {
  let best: HostError | undefined;
  for (const error of errors) if (best === undefined || weightOf(error) > weightOf(best)) best = error;
  return best;
}

function weightOf(error: HostError): number {
  if (error.code === "AUTH_REQUIRED") return 4;
  if (error.code === "REQUEST_REFUSED") return 3;
  if (!shouldTryOtherTransport(error)) return 2; // it uses this transport, or is unreachable
  const failure = failureOf(error.cause);
  return failure?.kind === "status" && failure.status >= 500 ? 1 : 0;
}
