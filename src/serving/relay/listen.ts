import { type CatalogKind, isJsonObject, type JsonObject } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { INVALID_PARAMS, ownError, RpcError } from "../rpc-error.ts";
import { requireTasks } from "./client-tasks.ts";
import { followResources, SUBSCRIPTION_ID } from "./subscribe.ts";

const LONGEST_FILTER = 256 * 1024;
const KINDS: readonly (readonly [string, CatalogKind])[] = [
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
];

/**
 * Answers a modern client's `subscriptions/listen`: acknowledges what it accepts, then sends notifications until the client or the gateway
 * ends the stream. Every message has the id of the request.
 */
export async function listen(
  context: GatewayContext,
  request: ClientRequest,
  id: string | number,
): Promise<JsonObject> {
  const { listeners, ending, limits } = context;
  const { notifications } = request.params;
  if (listeners.streams >= limits.streams)
    throw ownError("busy", "Too many streams are open. Close one first.");
  // The request is kept in memory as long as its stream is open.
  if (JSON.stringify(request.params).length > LONGEST_FILTER)
    throw new RpcError(INVALID_PARAMS, `The parameters are longer than ${LONGEST_FILTER} characters.`);
  const wanted = isJsonObject(notifications) ? notifications : {};
  if (wanted["taskIds"] !== undefined) requireTasks(request); // not followed, so not acknowledged
  const accepted = KINDS.filter(([flag]) => wanted[flag] === true);
  const meta = { [SUBSCRIPTION_ID]: id };
  const notify = (method: string, { _meta: given, ...params }: JsonObject): void =>
    request.notify(method, { ...params, _meta: { ...(isJsonObject(given) && given), ...meta } });
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
    rights: () => request.rights,
    kinds: new Set(accepted.map(([, kind]) => kind)),
    isStream: true,
    notify,
  });
  const result = toClientResult(request, { _meta: meta });
  const { signal } = request;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      for (const one of [signal, ending]) one.removeEventListener("abort", end);
      resolve();
    };
    if (signal.aborted || ending.aborted) return end();
    for (const one of [signal, ending]) one.addEventListener("abort", end);
  });
  remove();
  void resources.end();
  signal.throwIfAborted(); // a client that ended the stream expects no result
  return result;
}
