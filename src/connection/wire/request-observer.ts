import { isTimeoutReason, type JsonObject } from "../../model/index.ts";
import { failureOf } from "./wire-error.ts";

/** A request that is about to be sent. */
export interface SentRequest {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject;
  /** The negotiated protocol version, once there is one. */
  readonly version: string | undefined;
}

/** Follows one request until its response. */
export interface ObservedRequest {
  /** Trace context for the request's `_meta` and, over HTTP, its headers. */
  readonly context?: Readonly<Record<string, string>> | undefined;
  /** Calls `send`, so that everything it starts belongs to the request's trace. */
  within?<T>(send: () => T): T;
  /** Called once, with the failure if the request failed. Must not throw. */
  ended(failure: RequestFailure | undefined): void;
}

/** Called for every request. Returns `undefined` if the request is not observed. */
export type RequestObserver = (request: SentRequest) => ObservedRequest | undefined;

/** Why a request failed, in values that contain no text of the server. */
export interface RequestFailure {
  /** As in OpenTelemetry's `error.type`. */
  readonly type: string;
  /** The code of a JSON-RPC error. */
  readonly code?: string;
}

const NUMBER = /^-?\d{1,10}$/;

export function failureOfResult(method: string, { isError }: JsonObject): RequestFailure | undefined {
  const isTool = method === "tools/call" || method === "tasks/result";
  return isTool && isError === true ? { type: "tool_error" } : undefined;
}

/** `signal` is the caller's. A limit that the caller set counts as a timeout, not as a cancellation. */
export function failureOfError(error: unknown, signal?: AbortSignal): RequestFailure {
  const failure = failureOf(error);
  if (failure === undefined) return { type: "_OTHER" };
  switch (failure.kind) {
    case "refused": {
      const code = String(failure.code);
      return NUMBER.test(code) ? { type: code, code } : { type: "_OTHER" };
    }
    case "status":
      return { type: String(failure.status) };
    case "aborted":
      return { type: isTimeoutReason(signal?.reason) ? "timeout" : "cancelled" };
    default:
      return { type: failure.kind };
  }
}

/** Returns one observer for both. Trace context and `within` come from the first. */
export function observeBoth(
  first: RequestObserver | undefined,
  second: RequestObserver | undefined,
): RequestObserver | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (request) => {
    const one = first(request);
    const other = second(request);
    if (one === undefined || other === undefined) return one ?? other;
    return {
      ...one,
      ended(failure) {
        one.ended(failure);
        other.ended(failure);
      },
    };
  };
}
