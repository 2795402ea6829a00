import { serverRefusalOf } from "../../connection/index.ts";
import { isJsonObject, type Server } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientRefusal } from "../eras/to-client-error.ts";
import { addressing, type GatewayContext } from "../gateway-context.ts";

/** Returns the error of a server about a resource with the address that the client sees. Other errors stay as they are. */
export function withClientAddress(
  context: GatewayContext,
  request: ClientRequest,
  server: Server,
  error: unknown,
): unknown {
  const refusal = serverRefusalOf(error);
  if (refusal === undefined || !isJsonObject(refusal.data)) return error;
  const { uri } = refusal.data;
  if (typeof uri !== "string") return error;
  const address = addressing(context, request.client.endpoint, server)(uri);
  const data = { ...refusal.data, uri: address };
  return toClientRefusal({ ...refusal, data }, request, context.workspace.redactor);
}
