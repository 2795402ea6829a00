import {
  HostError,
  type HostErrorCode,
  isHostError,
  messageOf,
  type Redactor,
  safeText,
  timeoutHint,
  toAbortError,
  truncate,
} from "../model/index.ts";
import { maskValues, statusHint } from "./connect-error.ts";
import type { RequestOptions } from "./connection.ts";
import { failureOf, type StatusFailure } from "./wire/wire-error.ts";

/** The context of a failed request. */
export interface FailedRequest {
  readonly server: string;
  readonly options: RequestOptions;
  /** The setting that defines its timeout. */
  readonly timeoutSource?: string | undefined;
  readonly redactor: Redactor;
  /** The message if the connection was lost. */
  readonly lost: string;
  /** The hint if the connection was lost. */
  readonly lostHint?: string | undefined;
}

const ASK = "Call it from a program that can ask you (onElicitation).";

type Verdict = readonly [code: HostErrorCode, message: string, hint?: string | undefined];

/** Converts every failure of a request on an open connection to an error for the user. */
export function toRequestError(cause: unknown, failed: FailedRequest): Error {
  const { server, options, redactor } = failed;
  if (options.signal?.aborted) return toAbortError(options.signal, server);
  if (isHostError(cause)) return cause; // the user has to act
  const [code, message, hint] = judge(cause, failed);
  const failure = failureOf(cause);
  const rpcCode = failure?.kind === "refused" ? failure.code : undefined;
  const text = truncate(safeText(redactor.redact(message)), 2000);
  const reason = code === "INTERACTION_REQUIRED" ? "value" : undefined;
  return new HostError(code, text, { server, hint, reason, rpcCode, cause });
}

function judge(
  cause: unknown,
  { server, options, timeoutSource, redactor, lost, lostHint }: FailedRequest,
): Verdict {
  const found = failureOf(cause);
  const failure = found && maskValues(found, server, redactor);
  switch (failure?.kind) {
    case "refused":
      return ["REQUEST_REFUSED", messageOf(cause)];
    case "timeout":
      if (failure.wholeMs !== undefined)
        return [
          "REQUEST_TIMEOUT",
          `"${server}" did not finish within ${failure.wholeMs} ms, although it kept reporting progress`,
          `Try increasing the timeout beyond that.${timeoutSource === undefined ? "" : ` It is ${timeoutSource}.`}`,
        ];
      return [
        "REQUEST_TIMEOUT",
        `"${server}" did not answer within ${options.timeoutMs} ms`,
        timeoutHint(options.timeoutMs, timeoutSource),
      ];
    case "status":
      return judgeStatus(failure, server);
    case "sessionGone":
      return ["CONNECTION_LOST", `"${server}" no longer recognizes this session`, "Try again."];
    case "unanswered":
      return failure.method === "elicitation/create" && !failure.offered
        ? ["INTERACTION_REQUIRED", `"${server}" requires your input, but this program cannot ask you`, ASK]
        : ["REQUEST_REFUSED", `"${server}" requested ${failure.method}: ${messageOf(cause)}`];
    case "unreachable":
      return ["CONNECTION_LOST", `${lost} (${failure.reason})`];
    case "tooLarge":
    case "notMcp":
    case "streamLost":
    case "version":
      return ["REQUEST_REFUSED", `"${server}": ${messageOf(cause)}`];
    case "unsendable":
      return ["REQUEST_REFUSED", `the request to "${server}" was not sent: ${messageOf(cause)}`];
    default:
      return ["CONNECTION_LOST", lost, lostHint];
  }
}

function judgeStatus(failure: StatusFailure, server: string): Verdict {
  const { status, location } = failure;
  if (location !== undefined)
    return [
      "REQUEST_REFUSED",
      `"${server}" redirects to ${location} (HTTP ${status}), which is not followed`,
    ];
  const hint = statusHint(failure);
  switch (status) {
    case 401:
      return ["AUTH_REQUIRED", `"${server}" requires you to sign in (HTTP 401)`, hint];
    case 403:
      return ["REQUEST_REFUSED", `"${server}" rejected the credentials (HTTP 403)`, hint];
    default:
      return ["REQUEST_REFUSED", `"${server}" returned HTTP ${status}`, hint];
  }
}
