import type { JsonObject } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientError } from "../eras/to-client-error.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { dispatch, initialize } from "../relay/dispatch.ts";
import { listen } from "../relay/listen.ts";
import { ownError, type RpcError } from "../rpc-error.ts";
import type { MessageId } from "./client-messages.ts";

/** The response to a request, with the error that it contains. */
export interface Response {
  readonly message: JsonObject;
  readonly error?: RpcError;
  /** To be called with the size of the message after it was sent. */
  sent(size: number): void;
}

/** Answers a request. Never rejects. Returns `undefined` if the client cancelled the request, because the client then expects no response. */
export async function answerRequest(
  context: GatewayContext,
  request: ClientRequest,
  id: MessageId,
): Promise<Response | undefined> {
  const record = context.audit.start(request);
  const end = context.records.clients.start(request);
  try {
    if (context.audit.mustRefuse())
      throw ownError("not_recorded", "The request cannot be recorded, so it was refused.");
    const result = await context.requestLimits.run(request, () => resultOf(context, request, id));
    return { message: { jsonrpc: "2.0", id, result }, sent: (size) => record({ result }, size) };
  } catch (cause) {
    if (request.signal.aborted) {
      record({ isCancelled: true }, 0);
      return undefined;
    }
    const error = toClientError(cause, request, context.workspace.redactor);
    const message = { jsonrpc: "2.0", id, error: error.toJson() };
    return { message, error, sent: (size) => record({ error }, size) };
  } finally {
    end();
  }
}

function resultOf(context: GatewayContext, request: ClientRequest, id: MessageId): Promise<JsonObject> {
  const { era, method } = request;
  if (era === "legacy" && method === "initialize") return initialize(context, request);
  if (era === "modern" && method === "subscriptions/listen") return listen(context, request, id);
  return dispatch(context, request);
}
