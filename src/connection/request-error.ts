import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { HostError, messageOf, type Redactor, safeText, ToolAbortError, truncate } from "../model/index.ts";
import type { RequestOptions } from "./connection.ts";

/** The only place that knows what the SDK throws for a request on a connection that stood. */
export function toRequestError(
  cause: unknown,
  server: string,
  options: RequestOptions,
  redactor: Redactor,
): Error {
  if (options.signal?.aborted) return new ToolAbortError(undefined, { cause });
  const fail = (
    code: ConstructorParameters<typeof HostError>[0],
    message: string,
    hint?: string,
  ): HostError =>
    new HostError(code, truncate(safeText(redactor.redact(message)), 2000), { server, hint, cause });
  if (SdkError.isInstance(cause)) {
    if (cause.code === SdkErrorCode.RequestTimeout) {
      return fail(
        "REQUEST_TIMEOUT",
        `"${server}" did not answer within ${options.timeoutMs} ms`,
        "Try increasing the timeout.",
      );
    }
    if (SdkHttpError.isInstance(cause) && cause.status === 401) {
      return fail(
        "AUTH_REQUIRED",
        `"${server}" asks you to sign in (HTTP 401)`,
        "Check your authentication credentials.",
      );
    }
    if (cause.code === SdkErrorCode.ConnectionClosed || cause.code === SdkErrorCode.NotConnected) {
      return fail("CONNECTION_LOST", `the connection to "${server}" was lost`);
    }
  }
  if (ProtocolError.isInstance(cause)) return fail("REQUEST_REFUSED", cause.message);
  return fail("CONNECTION_LOST", messageOf(cause));
}
