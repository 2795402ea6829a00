import { isJsonObject, type JsonObject, memoize, type Server } from "../../model/index.ts";
import type { PolicyDecision } from "../../policy/index.ts";
import { withApproval } from "../access/ask-approval.ts";
import { decideFor, isOffered } from "../access/check-rights.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { INVALID_PARAMS, RESOURCE_NOT_FOUND, RpcError } from "../rpc-error.ts";
import { withClientAddress } from "./address-of-error.ts";
import { findPrompt, visibleServer } from "./call.ts";
import { offersAll } from "./list.ts";
import { mayMatchListed } from "./may-match.ts";
import { relayToServer } from "./relay-to-server.ts";

/** The longest address of a resource that clients may use. Subscriptions keep it. */
const LONGEST_ADDRESS = 8_192;

/** A resource by its server and the server's own URI. */
export interface FoundResource {
  readonly server: Server;
  readonly uri: string;
  /** What the policy of a team says about it. */
  readonly decision?: PolicyDecision | undefined;
}

/** Relays `resources/read`. */
export async function readResource(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const { server, uri, decision } = await findResource(context, request, request.params["uri"]);
  return withApproval(context, request, { server: server.name, item: uri, decision }, (approved) =>
    relayToServer(context, approved, { server, params: { ...approved.params, uri }, ttlMs: 0 }).catch(
      (error: unknown) => {
        throw withClientAddress(context, approved, server, error);
      },
    ),
  );
}

/** Relays `completion/complete`. A server without completions has no suggestions. */
export async function complete(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const { ref } = request.params;
  const { type, name, uri } = isJsonObject(ref) ? ref : {};
  let server: Server | undefined;
  let own: JsonObject = {};
  if (type === "ref/prompt") {
    const found = await findPrompt(context, request, name);
    server = found?.server;
    own = { name: found?.own ?? "" };
  } else if (type === "ref/resource") {
    const found = await findResource(context, request, uri, { isTemplate: true });
    ({ server } = found);
    own = { uri: found.uri };
  }
  if (server === undefined || !isJsonObject(ref))
    throw new RpcError(INVALID_PARAMS, "Unknown completion reference.");
  try {
    return await relayToServer(context, request, {
      server,
      params: { ...request.params, ref: { ...ref, ...own } },
    });
  } catch (error) {
    if (await hasCompletions(context, request, server)) throw error;
    return toClientResult(request, { completion: { values: [], hasMore: false } });
  }
}

async function hasCompletions(
  { upstreams }: GatewayContext,
  request: ClientRequest,
  server: Server,
): Promise<boolean> {
  const { workspace } = upstreams.scopeFor(request.client, request, server);
  return workspace.supervisor.running(server.name)?.facts.capabilities.includes("completions") !== false;
}

/**
 * Finds a resource by the address that the client sees. A known prefix always wins. A URI without a prefix, as it may appear in texts, is
 * accepted if exactly one server lists it, or else if exactly one has a template for it.
 */
export async function findResource(
  context: GatewayContext,
  request: ClientRequest,
  address: unknown,
  { isTemplate = false }: { readonly isTemplate?: boolean } = {},
): Promise<FoundResource> {
  const found = await locate(context, request, address);
  const { server, uri: item } = found;
  const subject = { kind: "resource", server: server.name, item, isTemplate } as const;
  const decision = decideFor(context.audit, request, subject, () => notFound(request, address, []));
  return { ...found, decision };
}

async function locate(
  context: GatewayContext,
  request: ClientRequest,
  address: unknown,
): Promise<FoundResource> {
  const { verbatim } = request.client.endpoint;
  if (typeof address !== "string" || !offersAll(request)) throw notFound(request, address, []);
  if (address.length > LONGEST_ADDRESS)
    throw new RpcError(INVALID_PARAMS, `The URI is longer than ${LONGEST_ADDRESS} characters.`);
  if (verbatim !== undefined) {
    const server = visibleServer(context, request, verbatim);
    if (server !== undefined) return { server, uri: address };
  }
  const addresses = context.addresses();
  const prefixed = addresses.toServer(address);
  const owner = prefixed && visibleServer(context, request, prefixed.server);
  if (prefixed !== undefined && owner !== undefined) return { server: owner, uri: prefixed.uri };
  if (prefixed !== undefined) throw notFound(request, address, []);
  const lists = (await context.offers.lists(request)).filter(({ server }) =>
    isOffered(request, { kind: "resource", server: server.name, item: address }),
  );
  const listed = lists.filter(({ catalog }) => urisOf(catalog.resources).has(address));
  const matching = lists.filter(({ catalog }) =>
    catalog.resourceTemplates.some((template) => mayMatchListed(template, address)),
  );
  const candidates = listed.length > 0 ? listed : matching;
  const [only, other] = candidates;
  if (only === undefined || other !== undefined) {
    const names = candidates.map(({ server }) => addresses.toClient(server.name, address));
    throw notFound(request, address, names);
  }
  return { server: only.server, uri: address };
}

/** The addresses of a server's list, which many requests look into. */
const urisOf = memoize(
  (resources: readonly { readonly uri: string }[]) => new Set(resources.map(({ uri }) => uri)),
);

function notFound({ era, method }: ClientRequest, address: unknown, candidates: readonly string[]): RpcError {
  const uri = String(address).slice(0, 2_000);
  if (candidates.length > 0) {
    const message = `Several servers have the resource ${uri}. Use one of: ${candidates.join(", ")}`;
    return new RpcError(INVALID_PARAMS, message, { uri, candidates });
  }
  const code = era === "legacy" && method === "resources/read" ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
  return new RpcError(code, `Resource not found: ${uri}`, { uri });
}
