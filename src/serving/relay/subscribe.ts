import { serverRefusalOf } from "../../connection/index.ts";
import { isHostError, isJsonObject, isList, type JsonObject, type JsonValue } from "../../model/index.ts";
import { subscribeResource } from "../../operations/index.ts";
import { nextTurn, settledWithin } from "../../platform/index.ts";
import type { Client, ClientRequest } from "../client-request.ts";
import { maskNotification } from "../eras/mask-for-client.ts";
import { addressing, type GatewayContext } from "../gateway-context.ts";
import { METHOD_NOT_FOUND, RpcError } from "../rpc-error.ts";
import { withClientAddress } from "./address-of-error.ts";
import { MOST_PER_CLIENT, stop, type Unsubscribe } from "./client-subscriptions.ts";
import { findResource } from "./read-resource.ts";

const UPDATED = "notifications/resources/updated";
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
const STARTED_AT_ONCE = 10;

/** Answers a legacy client's `resources/subscribe`. */
export async function subscribe(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const { client, params } = request;
  const { uri } = params;
  if (client.isStateless === true) throw unsupported(); // without a session, there is no stream for updates
  const onUpdated = notifierOf(client);
  await context.subscriptions.add(client, String(uri), () =>
    // The subscription outlives the request, so its signal is not used.
    follow(context, request, uri, onUpdated),
  );
  return {};
}

/** Separate, because a function inside `subscribe` would keep the whole request in memory. */
function notifierOf(client: Client): (params: JsonObject) => void {
  return (params) => client.notify(UPDATED, params);
}

/** Answers a legacy client's `resources/unsubscribe`. */
export async function unsubscribe(
  { subscriptions }: GatewayContext,
  { client, params }: ClientRequest,
): Promise<JsonObject> {
  await subscriptions.remove(client, String(params["uri"]));
  return {};
}

/** The subscriptions of a modern client's stream. */
export interface FollowedResources {
  /** The URIs that servers accepted in time, as the client wrote them. */
  readonly accepted: readonly string[];
  end(): Promise<void>;
}

/** Subscribes a modern client's stream to resources. Omits servers that refuse or do not respond in time. */
export async function followResources(
  context: GatewayContext,
  request: ClientRequest,
  wanted: JsonValue | undefined,
  notify: (method: string, params: JsonObject) => void,
): Promise<FollowedResources> {
  const given = isList(wanted) ? wanted.filter((uri) => typeof uri === "string") : [];
  const uris = Array.from(new Set(given)).slice(0, MOST_PER_CLIENT);
  const accepted = new Set<string>();
  const subscribing: { readonly uri: string; readonly begun: Promise<Unsubscribe> }[] = [];
  for (const uri of uris) {
    // Each may be compared with all resources and templates of all servers.
    if (subscribing.length % STARTED_AT_ONCE === STARTED_AT_ONCE - 1) await nextTurn();
    const begun = follow(context, request, uri, (content) => notify(UPDATED, content));
    begun.catch(() => {}); // it is not acknowledged
    subscribing.push({ uri, begun });
  }
  const settled = subscribing.map(({ uri, begun }) =>
    begun.then(
      () => void accepted.add(uri),
      () => {}, // not acknowledged
    ),
  );
  if (uris.length > 0)
    await settledWithin(context.workspace.ports.clock, context.waitMs, Promise.all(settled));
  const inTime = new Set(accepted);
  const kept = subscribing.filter(({ uri }) => inTime.has(uri));
  for (const { uri, begun } of subscribing) if (!inTime.has(uri)) void stop(begun);
  return {
    accepted: kept.map(({ uri }) => uri),
    end: async () => void (await Promise.all(kept.map(({ begun }) => stop(begun)))),
  };
}

/** Subscribes at the server. Updates have the address that the client used, or that of the part that changed. */
async function follow(
  context: GatewayContext,
  request: ClientRequest,
  address: JsonValue | undefined,
  onUpdated: (params: JsonObject) => void,
): Promise<Unsubscribe> {
  const { client } = request;
  const { server, uri } = await findResource(context, request, address);
  const scope = context.upstreams.scopeFor(client, request, server);
  const release = context.upstreams.hold(scope);
  const toAddress = addressing(context, client.endpoint, server);
  const { redactor } = context.workspace;
  const listener = (updated: string, { _meta: given }: JsonObject): void => {
    const { [SUBSCRIPTION_ID]: _, ...meta } = isJsonObject(given) ? given : {}; // the gateway's own stream
    onUpdated({
      uri: updated === uri && typeof address === "string" ? address : toAddress(updated),
      ...(Object.keys(meta).length > 0 && { _meta: maskNotification(redactor, meta) }),
    });
  };
  try {
    const end = await subscribeResource(scope.workspace, server.name, uri, listener);
    return () => {
      release();
      return end();
    };
  } catch (error) {
    release();
    // A modern server that does not support subscriptions never responds, instead of refusing.
    if (isHostError(error, "REQUEST_REFUSED") && serverRefusalOf(error) === undefined) throw unsupported();
    throw withClientAddress(context, request, server, error);
  }
}

function unsupported(): RpcError {
  return new RpcError(METHOD_NOT_FOUND, "Resource subscriptions are not supported here.");
}
