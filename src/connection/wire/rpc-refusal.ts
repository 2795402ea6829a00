import type { JsonObject, JsonValue } from "../../model/index.ts";

/** The error that a server's request is refused with. */
export class RpcRefusal extends Error {
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Returns the `error` member of the answer to a request that was refused. */
export function toRpcError(error: unknown): JsonObject {
  const { code, data } = error instanceof RpcRefusal ? error : { code: -32603, data: undefined };
  const message = error instanceof Error ? error.message : String(error);
  return { code, message, ...(data !== undefined && { data }) };
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** In the range that the protocol reserves for implementation-defined errors. */
export const TEMPORARY_ERROR = -32000;
/** The user rejected a sampling request. */
export const REJECTED_BY_PERSON = -1;

/** A shared instance, so that a flood of requests does not record a stack trace for each. */
export const TOO_MANY: RpcRefusal = new RpcRefusal(TEMPORARY_ERROR, "Too many requests. Try again later.");
