import type { JsonObject } from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";
import { LONGEST_ERROR, WireError } from "./wire-error.ts";

/** Data beside an error that is heavier is dropped: it would be masked piece by piece. */
const DATA_LIMITS = { depth: 32, weight: 16 * 1024 };

/** An error reply of the server as a `WireError`. */
export function refusedError(error: JsonObject): WireError {
  const { code, message, data } = lightError(error);
  const number = typeof code === "number" ? code : -32603;
  const text = typeof message === "string" ? message : "the server returned an error without a message";
  return new WireError({ kind: "refused", code: number, ...(data !== undefined && { data }) }, text);
}

/** What is kept of an error: it may wait for the request that it belongs to. */
export function lightError({ code, message, data }: JsonObject): JsonObject {
  const isKept = data !== undefined && typeof jsonWeight(data, DATA_LIMITS) === "number";
  return {
    ...(code !== undefined && typeof code !== "object" && { code }),
    ...(typeof message === "string" && { message: message.slice(0, LONGEST_ERROR) }),
    ...(isKept && { data }),
  };
}
