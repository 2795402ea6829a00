import * as oauth from "oauth4webapi";
import { HostError, isHostError, messageOf, safeText, ToolAbortError, truncate } from "../model/index.ts";
import { Refusal } from "./refusal.ts";

/**
 * Converts every sign-in failure to an error for the user. Text from servers is truncated and escaped. `signal` may have cancelled the
 * sign-in.
 */
export function toAuthError(server: string, cause: unknown, signal?: AbortSignal): Error {
  if (isHostError(cause) || cause instanceof ToolAbortError) return cause;
  if (signal?.aborted) return new ToolAbortError("The sign-in was cancelled.", { cause: signal.reason });
  const message = `OAuth authentication failed: ${describe(cause)}`;
  return new HostError("AUTH_FAILED", message, { server, cause: withoutAnswer(cause) });
}

/** Drops the response that the library attaches to its errors, because it may contain tokens or a code. */
function withoutAnswer(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof Refusal) return cause;
  const { name, message, stack } = cause;
  return Object.assign(new Error(message), { name, stack });
}

function describe(cause: unknown): string {
  if (cause instanceof Refusal) return plain(cause.message);
  if (cause instanceof oauth.AuthorizationResponseError || cause instanceof oauth.ResponseBodyError) {
    const { error, error_description: description } = cause;
    return plain(description ? `${error} (${description})` : error);
  }
  return plain(messageOf(cause));
}

function plain(text: string): string {
  return truncate(safeText(text).replaceAll("\n", " "), 300);
}

/** Returns the OAuth error code of an authorization server's error response, such as `invalid_grant`. */
export function oauthErrorCode(error: unknown): string | undefined {
  return error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
    ? error.error
    : undefined;
}

/** Returns the error for a server that requires the user to sign in. */
export function signInRequired(
  server: string,
  because: string,
  cause?: unknown,
  account?: string,
): HostError {
  return new HostError("INTERACTION_REQUIRED", `"${server}" requires you to sign in: ${because}.`, {
    server,
    reason: "signIn",
    hint: "Sign in, then try again.",
    account,
    cause,
  });
}

/** Returns the error for a server that requires a sign-in but does not name its endpoints. */
export function endpointsNotFound(name: string): HostError {
  const message = `Authentication required for "${name}", but OAuth endpoints could not be discovered. Use /mcp add ${name} (wizard) or configure auth manually.`;
  return new HostError("AUTH_REQUIRED", message, { server: name });
}
