import type { HostError } from "../../model/index.ts";
import { failureOf } from "../wire/wire-error.ts";

/**
 * Servers of the two HTTP kinds are mistaken for each other all the time: may the other kind be spoken where this one
 * failed so? Not where the server is silent, refuses the person, is overloaded, or understood and said no.
 */
export function isWorthTheOtherKind(error: HostError): boolean {
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

/** Of several failures the one that a person can do something about; among equals, that of the kind in the config. */
export function mostInformativeError(errors: readonly HostError[]): HostError | undefined {
  let best: HostError | undefined;
  for (const error of errors) if (best === undefined || weightOf(error) > weightOf(best)) best = error;
  return best;
}

function weightOf(error: HostError): number {
  if (error.code === "AUTH_REQUIRED") return 4;
  if (error.code === "REQUEST_REFUSED") return 3;
  if (!isWorthTheOtherKind(error)) return 2; // it spoke this kind, or could not be reached at all
  const failure = failureOf(error.cause);
  return failure?.kind === "status" && failure.status >= 500 ? 1 : 0;
}
