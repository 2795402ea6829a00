import { type ServerRefusal, serverRefusalOf } from "../../connection/index.ts";
import {
  type HostErrorCode,
  isHostError,
  isJsonObject,
  type JsonValue,
  messageOf,
  type Redactor,
} from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  MISSING_CAPABILITY,
  RESOURCE_NOT_FOUND,
  RpcError,
  URL_ELICITATION_REQUIRED,
  URL_SINCE,
} from "../rpc-error.ts";

/** The fixed reasons for failures of the gateway itself. */
const REASONS: { readonly [Code in HostErrorCode]?: string } = {
  CONNECTION_LOST: "interrupted",
  HOST_CLOSED: "interrupted",
  REQUEST_TIMEOUT: "timeout",
  CALL_TIMEOUT: "timeout",
  CONNECT_TIMEOUT: "timeout",
  INTERACTION_REQUIRED: "interaction_required",
  AUTH_REQUIRED: "interaction_required",
  AUTH_CLIENT_REQUIRED: "interaction_required",
};

/** Errors about a tool or server that must look to the client as if it did not exist. */
const UNKNOWN: ReadonlySet<HostErrorCode> = new Set([
  "TOOL_UNKNOWN",
  "TOOL_DENIED",
  "SERVER_UNKNOWN",
  "SERVER_DISABLED",
  "SERVER_INVALID",
]);

/** Returns the error to send to a client, in the client's era and without secrets. */
export function toClientError(
  error: unknown,
  request: Pick<ClientRequest, "era" | "version" | "method">,
  redactor: Redactor,
): RpcError {
  if (error instanceof RpcError) return error;
  const refusal = serverRefusalOf(error);
  if (refusal !== undefined) return toClientRefusal(refusal, request, redactor);
  const text = redactor.redact(messageOf(error));
  if (!isHostError(error)) return new RpcError(INTERNAL_ERROR, text, { reason: "failed" });
  if (UNKNOWN.has(error.code)) return new RpcError(INVALID_PARAMS, text);
  const end = /[.!?:]$/.test(text) ? "" : ".";
  const hint = error.hint === undefined ? "" : `${end} ${redactor.redact(error.hint)}`;
  return new RpcError(INTERNAL_ERROR, `${text}${hint}`, {
    reason: REASONS[error.code] ?? "failed",
    code: error.code,
  });
}

/** Returns a server's error in the client's era and without secrets. */
export function toClientRefusal(
  { code, message, data }: ServerRefusal,
  request: Pick<ClientRequest, "era" | "version" | "method">,
  redactor: Redactor,
): RpcError {
  // Redacting keeps the shape of a JSON value.
  const masked = data === undefined ? undefined : (redactor.redactValue(data) as JsonValue);
  return inEra(new RpcError(code, redactor.redact(message), masked), request);
}

/** Converts a server's error code to one that the client's era knows. */
export function inEra(
  error: RpcError,
  { era, version, method }: Pick<ClientRequest, "era" | "version" | "method">,
): RpcError {
  const { code, message, data } = error;
  if (era === "legacy") {
    if (code === URL_ELICITATION_REQUIRED && version < URL_SINCE) return unknownCode(error);
    const isNotFound =
      code === INVALID_PARAMS &&
      method === "resources/read" &&
      isJsonObject(data) &&
      typeof data["uri"] === "string";
    return isNotFound ? new RpcError(RESOURCE_NOT_FOUND, message, data) : error;
  }
  if (code === RESOURCE_NOT_FOUND) return new RpcError(INVALID_PARAMS, message, data);
  const isReserved = code <= -32020 && code >= -32099 && code !== MISSING_CAPABILITY;
  return isReserved ? unknownCode(error) : error;
}

/** Returns an error with a code that every version knows. */
function unknownCode({ code, message, data }: RpcError): RpcError {
  const more = isJsonObject(data) ? data : {};
  return new RpcError(INTERNAL_ERROR, message, { ...more, upstreamCode: code });
}
