import type { Outcome } from "./fault.ts";

/** The fault changes nothing for the caller. */
export const HELLO: Outcome = { text: "hello", state: ["connected"] };
export const FAILED: NonNullable<Outcome["state"]> = ["failed"];
/** A lost connection is restored automatically and may still be reconnecting. */
export const RESTARTED: NonNullable<Outcome["state"]> = ["reconnecting", "connecting", "connected"];
/** The process ended or became unreachable during a call. */
export const LOST_IN_CALL: Outcome = {
  code: "TOOL_CALL_FAILED",
  cause: "CONNECTION_LOST",
  state: RESTARTED,
};
/** One response is unusable, but the connection stays open. */
export const REFUSED_IN_CALL: Outcome = {
  code: "TOOL_CALL_FAILED",
  cause: "REQUEST_REFUSED",
  state: ["connected"],
};
