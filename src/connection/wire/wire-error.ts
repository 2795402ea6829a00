import type { JsonValue } from "../../model/index.ts";

/** Protocol and transport failures. They are converted to messages for the user before they leave this module. */
export type WireFailure =
  /** The server answered with a JSON-RPC error. */
  | { readonly kind: "refused"; readonly code: number; readonly data?: JsonValue }
  /** The server did not respond in time. `wholeMs` is set if the total time limit was exceeded. */
  | { readonly kind: "timeout"; readonly wholeMs?: number }
  | { readonly kind: "aborted" }
  /** The connection ended before the response. */
  | { readonly kind: "closed" }
  /** The request's own stream ended before the response. */
  | { readonly kind: "streamLost" }
  | StatusFailure
  /** The server no longer recognizes the session and did not process the request. */
  | { readonly kind: "sessionGone"; readonly session: string }
  | {
      readonly kind: "unreachable";
      /** The system's error code, or a description if there is none. */
      readonly reason: string;
      /** The server may have received the request. */
      readonly sent: boolean;
      /** A reused connection ended before the first byte of the response. */
      readonly reused?: boolean;
    }
  /** The response is not MCP: a web page, an empty body, invalid JSON. */
  | { readonly kind: "notMcp" }
  | { readonly kind: "tooLarge" }
  /** The message cannot be converted to JSON. It was not sent, and the connection is still usable. */
  | { readonly kind: "unsendable" }
  /** The server sent a request that could not be answered. */
  | { readonly kind: "unanswered"; readonly method: string; readonly offered: boolean }
  | { readonly kind: "version"; readonly version: string };

/** The server returned an HTTP status other than success. */
export interface StatusFailure {
  readonly kind: "status";
  readonly status: number;
  readonly challenge?: string;
  readonly retryAfterMs?: number;
  /** Why the server refused, in its own words. */
  readonly explanation?: string;
  /** The target of a redirect that must not be followed. */
  readonly location?: string;
}

/** Error messages from servers are truncated immediately, because masking and escaping megabytes would block the process. */
export const LONGEST_ERROR = 8_000;

/** A protocol or transport error. Used only inside this module. */
export class WireError extends Error {
  readonly failure: WireFailure;

  constructor(failure: WireFailure, message: string, options?: ErrorOptions) {
    super(message.slice(0, LONGEST_ERROR), options);
    this.name = "WireError";
    this.failure = failure;
  }
}

export function failureOf(error: unknown): WireFailure | undefined {
  return error instanceof WireError ? error.failure : undefined;
}

/** Returns the error for a caller that stopped waiting. Used when a handler ignores its signal. */
export function callerGoneError(): WireError {
  return new WireError({ kind: "closed" }, "the caller no longer waits for a response");
}

export function closedError(): WireError {
  return new WireError({ kind: "closed" }, "the connection ended");
}

export function abortedError(): WireError {
  return new WireError({ kind: "aborted" }, "the caller cancelled the request");
}

export function tooLongError(wholeMs: number): WireError {
  return new WireError({ kind: "timeout", wholeMs }, `not finished within ${wholeMs} ms`);
}

export function timeoutError(ms: number): WireError {
  return new WireError({ kind: "timeout" }, `no response within ${ms} ms`);
}
