import { isHostError, type JsonValue } from "../model/index.ts";
import { failureOf } from "./wire/wire-error.ts";

/** The JSON-RPC error in a server's response. */
export interface ServerRefusal {
  readonly code: number;
  /** As the server sent it, except that it may be truncated. */
  readonly message: string;
  readonly data?: JsonValue;
}

/** Returns the JSON-RPC error behind a failed request; `undefined` if the server did not answer with one. */
export function serverRefusalOf(error: unknown): ServerRefusal | undefined {
  const cause = isHostError(error) ? error.cause : undefined;
  const failure = failureOf(cause);
  if (failure?.kind !== "refused" || !(cause instanceof Error)) return undefined;
  const { code, data } = failure;
  return { code, message: cause.message, ...(data !== undefined && { data }) };
}
