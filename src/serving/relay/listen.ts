import { type CatalogKind, isJsonObject, type JsonObject } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { followResources } from "./subscribe.ts";

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
export async function listen(
  context: GatewayContext,
  request: ClientRequest,
  id: string | number,
): Promise<JsonObject> {
  const { listeners, workspace } = context;
  const { notifications } = request.params;
  const wanted = isJsonObject(notifications) ? notifications : {};
  const accepted = KINDS.filter(([flag]) => wanted[flag] === true);
  const meta = { [SUBSCRIPTION_ID]: id };
  const notify = (method: string, params: JsonObject): void =>
    request.notify(method, { ...params, _meta: meta });
  // Updates must not precede the acknowledgement.
  let isAcknowledged = false;
  const early = new Map<string, JsonObject>();
  const { resourceSubscriptions } = wanted;
  const resources = await followResources(context, request, resourceSubscriptions, (method, params) => {
    if (isAcknowledged) notify(method, params);
    else early.set(String(params["uri"]), params);
  });
  notify("notifications/subscriptions/acknowledged", {
    notifications: {
      ...Object.fromEntries(accepted.map(([flag]) => [flag, true])),
      ...(resources.accepted.length > 0 && { resourceSubscriptions: [...resources.accepted] }),
    },
  });
  isAcknowledged = true;
  for (const params of early.values()) notify("notifications/resources/updated", params);
  const remove = listeners.add({
    endpoint: request.client.endpoint,
    kinds: new Set(accepted.map(([, kind]) => kind)),
    notify,
  });
  return new Promise((resolve) => {
    const end = (): void => {
      remove();
      void resources.end();
      resolve(toClientResult(request, { _meta: meta }));
    };
    if (request.signal.aborted) return end();
    request.signal.addEventListener("abort", end, { once: true });
    workspace.closeSignal.addEventListener("abort", end, { once: true });
  });
}
