import { isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const RESOURCE_NOT_FOUND = -32002;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
export const URL_ELICITATION_REQUIRED = -32042;
/** The first legacy version with url elicitation and its error. */
export const URL_SINCE = "2025-11-25";

/** An error response to a client's request. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }

  toJson(): JsonObject {
    const { code, message, data } = this;
    return { code, message, ...(data !== undefined && { data }) };
  }
}

/** An error of the gateway itself. `reason` is a fixed word for programs. */
export function ownError(reason: string, message: string): RpcError {
  return new RpcError(INTERNAL_ERROR, message, { reason });
}

/** The error for a person who sends too many requests. */
export function tooFast(retryAfterMs: number): RpcError {
  const message = "Too many requests. Try again later.";
  return new RpcError(INTERNAL_ERROR, message, { reason: "rate_limited", retryAfterMs });
}

/** Returns after how many seconds a client may try again, if it sent too many requests. */
export function retryAfter(error: RpcError | undefined): number | undefined {
  const { reason, retryAfterMs } = error !== undefined && isJsonObject(error.data) ? error.data : {};
  return reason === "rate_limited" && typeof retryAfterMs === "number"
    ? Math.max(1, Math.ceil(retryAfterMs / 1_000))
    : undefined;
}

/** The headers of the response to a request that is refused as busy. */
export const TRY_LATER = { "retry-after": "1" } as const;

/** Returns whether proxies and clients should try again later. */
export function isBusy(error: RpcError | undefined): boolean {
  return error !== undefined && isJsonObject(error.data) && error.data["reason"] === "busy";
}
