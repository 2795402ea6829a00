import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import {
  HostError,
  type HostErrorCode,
  messageOf,
  type Redactor,
  safeText,
  ToolAbortError,
  truncate,
} from "../model/index.ts";
import type { RequestOptions } from "./connection.ts";
import { networkFailure } from "./network-failure.ts";

/** What is known about a failed request beside the error itself. */
export interface FailedRequest {
  readonly server: string;
  readonly options: RequestOptions;
  readonly redactor: Redactor;
  /** How to say that the connection is gone. */
  readonly lost: string;
}

type Verdict = readonly [code: HostErrorCode, message: string, hint?: string];

/** The only place that knows what the SDK throws for a request on a connection that stood. */
export function toRequestError(cause: unknown, failed: FailedRequest): Error {
  const { server, options, redactor } = failed;
  if (options.signal?.aborted) return new ToolAbortError(undefined, { cause });
  const [code, message, hint] = judge(cause, failed);
  return new HostError(code, truncate(safeText(redactor.redact(message)), 2000), { server, hint, cause });
}

function judge(cause: unknown, { server, options, lost }: FailedRequest): Verdict {
  if (SdkHttpError.isInstance(cause) && cause.status !== undefined) return judgeStatus(cause.status, server);
  if (ProtocolError.isInstance(cause)) return ["REQUEST_REFUSED", cause.message];
  if (SdkError.isInstance(cause)) {
    if (cause.code === SdkErrorCode.RequestTimeout) {
      const message = `"${server}" did not answer within ${options.timeoutMs} ms`;
      return ["REQUEST_TIMEOUT", message, "Try increasing the timeout."];
    }
    return GONE.has(cause.code) ? ["CONNECTION_LOST", lost] : ["REQUEST_REFUSED", messageOf(cause)];
  }
  const network = networkFailure(cause);
  return ["CONNECTION_LOST", network === undefined ? lost : `${lost} (${network})`];
}

const GONE: ReadonlySet<unknown> = new Set([
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
]);

function judgeStatus(status: number, server: string): Verdict {
  const credentials = "Check your authentication credentials.";
  switch (status) {
    case 401:
      return ["AUTH_REQUIRED", `"${server}" asks you to sign in (HTTP 401)`, credentials];
    case 403:
      return ["REQUEST_REFUSED", `"${server}" refuses these credentials (HTTP 403)`, credentials];
    case 404:
      return ["CONNECTION_LOST", `"${server}" no longer knows this session (HTTP 404)`, "Try again."];
    default:
      return ["REQUEST_REFUSED", `"${server}" answered HTTP ${status}`];
  }
}
