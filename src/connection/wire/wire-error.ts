import type { JsonValue } from "../../model/index.ts";

/** What can go wrong on the wire, as facts; people's words are put to them where they leave this room. */
export type WireFailure =
  /** The server answered with a JSON-RPC error. */
  | { readonly kind: "refused"; readonly code: number; readonly data?: JsonValue }
  /** It was silent for too long, or, with its length, the longest time of all is over. */
  | { readonly kind: "timeout"; readonly wholeMs?: number }
  | { readonly kind: "aborted" }
  /** The connection ended before the answer. */
  | { readonly kind: "closed" }
  /** The stream of this one request ended before the answer. */
  | { readonly kind: "streamLost" }
  | StatusFailure
  /** The server no longer knows the session; it did not look at the request. */
  | { readonly kind: "sessionGone"; readonly session: string }
  | {
      readonly kind: "unreachable";
      /** The system's code for it, or words where there is none. */
      readonly reason: string;
      /** The server may have seen the request. */
      readonly sent: boolean;
      /** An idle connection was used again, and ended before a byte of the answer came. */
      readonly reused?: boolean;
    }
  /** An answer that is no MCP: a web page, an empty body, broken JSON. */
  | { readonly kind: "notMcp" }
  | { readonly kind: "tooLarge" }
  /** It asked something back that nobody here could answer. */
  | { readonly kind: "unanswered"; readonly method: string; readonly offered: boolean }
  | { readonly kind: "version"; readonly version: string };

/** The server answered with an HTTP status that is none of success. */
export interface StatusFailure {
  readonly kind: "status";
  readonly status: number;
  readonly challenge?: string;
  readonly retryAfterMs?: number;
  /** Where it wants the request sent instead, when that is somewhere the request must not go. */
  readonly location?: string;
}

/** A server's words are cut where they enter: to mask and escape megabytes would block the process. */
export const LONGEST_ERROR = 8_000;

/** An error of the wire. Never leaves this room. */
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

/** Whoever answers may not look at the signal; the call does not wait for them. */
export function nobodyWaits(): WireError {
  return new WireError({ kind: "closed" }, "the caller no longer waits for a response");
}
