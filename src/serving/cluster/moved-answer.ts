import type { JsonObject } from "../../model/index.ts";
import type { MessageId } from "../client/client-messages.ts";
import { ownError, TRY_LATER } from "../rpc-error.ts";

/** Why the requests of a session end that another gateway has taken over. */
export const MOVED: Error = new Error("another gateway has taken over the session");

/**
 * Returns the response to a request that ends because its session has moved. A call of a tool may have been done in part. Everything else
 * is sent again: by the gateway that passed it on, or else by the client.
 */
export function movedAnswer(
  id: MessageId,
  method: string,
  isPassedOn: boolean,
): readonly [status: number, message: JsonObject, headers: Readonly<Record<string, string>>] {
  const text = "The call was interrupted, because another gateway has taken over the session.";
  const message = { jsonrpc: "2.0", id, error: ownError("interrupted", text).toJson() };
  if (method === "tools/call") return [200, message, {}];
  return isPassedOn ? [421, message, {}] : [503, message, TRY_LATER];
}

/** A cancelled request gets no response, but its POST must end. Clients ignore responses to requests that they cancelled. */
export function cancelled(id: MessageId): JsonObject {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: -32603, message: "Cancelled.", data: { reason: "cancelled" } },
  };
}
