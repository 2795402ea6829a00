import { type CatalogKind, isJsonObject, type JsonObject } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import type { GatewayContext } from "../gateway-context.ts";

const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
const KINDS: readonly (readonly [string, CatalogKind])[] = [
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
];

/**
 * Answers a modern client's `subscriptions/listen`: says what is accepted, then sends notifications until the client or the gateway
 * ends the stream. Every message carries the request's own id.
 */
export function listen(
  { listeners, workspace }: GatewayContext,
  request: ClientRequest,
  id: string | number,
): Promise<JsonObject> {
  const { notifications } = request.params;
  const wanted = isJsonObject(notifications) ? notifications : {};
  const accepted = KINDS.filter(([flag]) => wanted[flag] === true);
  const meta = { [SUBSCRIPTION_ID]: id };
  const notify = (method: string, params: JsonObject): void =>
    request.notify(method, { ...params, _meta: meta });
  notify("notifications/subscriptions/acknowledged", {
    notifications: Object.fromEntries(accepted.map(([flag]) => [flag, true])),
  });
  const remove = listeners.add({
    endpoint: request.client.endpoint,
    kinds: new Set(accepted.map(([, kind]) => kind)),
    notify,
  });
  return new Promise((resolve) => {
    const end = (): void => {
      remove();
      resolve(toClientResult(request, { _meta: meta }));
    };
    request.signal.addEventListener("abort", end, { once: true });
    workspace.closeSignal.addEventListener("abort", end, { once: true });
  });
}
