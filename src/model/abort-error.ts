import { HostError, isHostError, ToolAbortError } from "./host-error.ts";

/** Cancels the wait for an operation. */
export interface WaitOptions {
  /** Aborting it ends the wait. Work that other callers wait for, and a write that has begun, continue. */
  readonly signal?: AbortSignal | undefined;
}

/** Returns whether a signal fired because of a time limit: `AbortSignal.timeout`, or the `timeout` of a call. */
export function isTimeoutReason(reason: unknown): boolean {
  return (reason instanceof Error && reason.name === "TimeoutError") || isHostError(reason, "CALL_TIMEOUT");
}

/** Returns the error for a call that exceeded a time limit of its caller. */
export function callTimeout(
  server: string | undefined,
  { ms, cause }: { readonly ms?: number; readonly cause?: unknown },
): HostError {
  const what = server === undefined ? "The operation" : `The call to "${server}"`;
  const how = ms === undefined ? "timed out" : `was not finished within ${ms} ms`;
  return new HostError("CALL_TIMEOUT", `${what} ${how}.`, {
    server,
    hint: "The caller set this time limit.",
    cause,
  });
}

/** Returns the error for a caller whose signal fired: `CALL_TIMEOUT`, or a `ToolAbortError` with the caller's reason as its cause. */
export function toAbortError({ reason }: AbortSignal, server?: string): Error {
  if (isHostError(reason, "CALL_TIMEOUT")) return reason;
  if (isTimeoutReason(reason)) return callTimeout(server, { cause: reason });
  return new ToolAbortError(undefined, { cause: reason });
}

/** Like `toAbortError`, for an agent's tool, which throws nothing but `ToolAbortError`. */
export function toToolAbort(signal: AbortSignal, server?: string): ToolAbortError {
  const error = toAbortError(signal, server);
  return error instanceof ToolAbortError ? error : new ToolAbortError(undefined, { cause: error });
}
