import type { JsonObject } from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";
import { LONGEST_ERROR, WireError } from "./wire-error.ts";

/** Larger error data is dropped, because masking it is slow. */
const DATA_LIMITS = { depth: 32, weight: 16 * 1024 };

/** Converts a JSON-RPC error to a `WireError`. */
export function toRefusedError(error: JsonObject): WireError {
  const { code, message, data } = trimmedError(error);
  const number = typeof code === "number" ? code : -32603;
  const text = typeof message === "string" ? message : "the server returned an error without a message";
  return new WireError({ kind: "refused", code: number, ...(data !== undefined && { data }) }, text);
}

/** Returns the parts of an error that are kept until the request it belongs to is found. */
export function trimmedError({ code, message, data }: JsonObject): JsonObject {
  const isKept = data !== undefined && typeof jsonWeight(data, DATA_LIMITS) === "number";
  return {
    ...(code !== undefined && typeof code !== "object" && { code }),
    ...(typeof message === "string" && { message: message.slice(0, LONGEST_ERROR) }),
    ...(isKept && { data }),
  };
}
