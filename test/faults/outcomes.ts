import type { Outcome } from "./fault.ts";

/** The fault changes nothing for the caller. */
export const HELLO: Outcome = { text: "hello", state: ["connected"] };
export const FAILED: NonNullable<Outcome["state"]> = ["failed"];
/** A connection that was lost is opened again by itself; it may be on its way. */
export const RESTARTED: NonNullable<Outcome["state"]> = ["reconnecting", "connecting", "connected"];
/** The process ended, or can no longer be talked to, in the middle of a call. */
export const LOST_IN_CALL: Outcome = {
  code: "TOOL_CALL_FAILED",
  cause: "CONNECTION_LOST",
  state: RESTARTED,
};
/** One answer cannot be used; the connection stands. */
export const REFUSED_IN_CALL: Outcome = {
  code: "TOOL_CALL_FAILED",
  cause: "REQUEST_REFUSED",
  state: ["connected"],
};
