import { HostError, type HostErrorCode, isHostError, messageOf, ToolAbortError } from "../../model/index.ts";

/** Codes that are more specific than `TOOL_CALL_FAILED` and are therefore kept. */
const KEPT: ReadonlySet<HostErrorCode> = new Set([
  "AUTH_REQUIRED",
  "AUTH_FAILED",
  "AUTH_TIMEOUT",
  "AUTH_CLIENT_REQUIRED",
  "INTERACTION_REQUIRED",
  "NOT_RECORDED",
  "CALL_TIMEOUT",
  "HOST_CLOSED",
]);

/** Converts the failure of a call to the error for its caller. */
export function toCallError(error: unknown, server: string): Error {
  if (error instanceof ToolAbortError) return error;
  if (isHostError(error) && KEPT.has(error.code)) return error;
  if (error instanceof RangeError) return toCallError(tooDeep(error, server), server);
  const hint = isHostError(error) ? error.hint : undefined;
  return new HostError("TOOL_CALL_FAILED", `Tool execution failed: ${messageOf(error)}`, {
    server,
    hint,
    cause: error,
  });
}

/** Processing a result with a hundred thousand levels overflows the stack. */
function tooDeep(cause: RangeError, server: string): HostError {
  return new HostError("REQUEST_REFUSED", `the response of "${server}" is nested too deeply`, {
    server,
    cause,
  });
}
