import type { JsonObject, Server, ToolDefinition } from "../../model/index.ts";
import { definitionOf } from "../../operations/index.ts";
import { isOffered } from "../access/check-rights.ts";
import { prepareText } from "../client/prepared-text.ts";
import type { ClientRequest } from "../client-request.ts";
import type { Endpoint } from "../endpoint.ts";
import { toClientResult } from "../eras/to-client.ts";
import { addressing, type GatewayContext } from "../gateway-context.ts";
import type { ListedTool } from "../merge/meta-mode.ts";
import type { ServerLists } from "../merge/offers.ts";
import { firstPageOf, type PagedItem, pageOf } from "../merge/page.ts";
import { rewriteDefinition, type ToAddress } from "../names/rewrite-addresses.ts";

/** How long modern clients may cache a list. They are notified of changes before that. */
const LONGEST_TTL_MS = 60_000;

type ListOf = (context: GatewayContext, request: ClientRequest, lists: ServerLists) => Promise<PagedItem[]>;

/** Answers a list request from the lists of all visible servers. */
async function list(
  context: GatewayContext,
  request: ClientRequest,
  key: string,
  kind: "tools" | "resources" | "prompts",
  itemsOf: ListOf,
): Promise<JsonObject> {
  const lists = await context.offers.lists(request);
  const items = await Promise.all(lists.map((one) => itemsOf(context, request, one)));
  return answerWith(context, request, { key, kind, lists, items: items.flat() });
}

function answerWith(
  context: GatewayContext,
  request: ClientRequest,
  {
    key,
    kind,
    lists,
    items,
  }: {
    readonly key: string;
    readonly kind: "tools" | "resources" | "prompts";
    readonly lists: readonly ServerLists[];
    readonly items: readonly PagedItem[];
  },
): JsonObject {
  const { cursor } = request.params;
  const { values, text, nextCursor } = cursor === undefined ? firstPageOf(items) : pageOf(items, cursor);
  const ttls = lists.map(({ catalog }) => catalog.readings[kind].ttlMs ?? LONGEST_TTL_MS);
  const isComplete = lists.length === context.offers.servers(request).length;
  const ttlMs = isComplete ? Math.min(LONGEST_TTL_MS, ...ttls) : 0; // a client must not cache a list without some of the servers
  const result = { [key]: values, ...(nextCursor !== undefined && { nextCursor }) };
  const answer = toClientResult(request, result, { ttlMs });
  if (text !== undefined) prepareText(answer, key, text);
  return answer;
}

/** Answers `tools/list`, with the gateway's own tools where they apply. */
export async function listTools(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const lists = await context.offers.lists(request);
  const tools = await toolsIn(context, request, lists);
  const own = context.connectTool.definition(context, request);
  const meta = context.metaMode.definitions(request, tools);
  context.records.listed(tools, meta);
  const shownTools = meta ?? tools;
  const items = own.length === 0 ? shownTools : [...own, ...shownTools];
  return answerWith(context, request, { key: "tools", kind: "tools", lists, items });
}

/** Returns the tools of all visible servers, as the client sees them. */
export async function visibleTools(
  context: GatewayContext,
  request: ClientRequest,
): Promise<readonly ListedTool[]> {
  return toolsIn(context, request, await context.offers.lists(request));
}

async function toolsIn(
  context: GatewayContext,
  request: ClientRequest,
  lists: readonly ServerLists[],
): Promise<readonly ListedTool[]> {
  const { endpoint } = request.client;
  const offered = await Promise.all(lists.map((one) => context.offers.tools(request, one)));
  const servers = lists.map(({ server }) => server);
  const addresses = context.addresses();
  const last = lastListed.get(endpoint);
  const isSame =
    last !== undefined &&
    last.names === context.offers.toolNamesRevision &&
    last.addresses === addresses &&
    hasSameItems(last.servers, servers) &&
    hasSameItems(last.offered, offered);
  if (isSame) return last.tools;
  const tools = lists.flatMap(({ server: one }, index) => {
    const { name: server } = one;
    const toAddress = addressing(context, endpoint, one);
    return (offered[index] ?? []).map((tool) => {
      const name = context.offers.toolName(request, { server, name: tool.name });
      const value = shownTool(tool, name, toAddress);
      return { key: name, value, server, tool: tool.name, definition: tool };
    });
  });
  const names = context.offers.toolNamesRevision;
  // What the people of a team see is decided each time, and they are many.
  if (request.rights === undefined) lastListed.set(endpoint, { servers, offered, names, addresses, tools });
  return tools;
}

function hasSameItems(left: readonly object[], right: readonly object[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

/** The tools of an endpoint, and everything that they depend on. */
interface ListedTools {
  readonly servers: readonly Server[];
  /** The same arrays as long as the decisions about the servers' tools are the same. */
  readonly offered: readonly (readonly ToolDefinition[])[];
  readonly names: number;
  readonly addresses: object;
  readonly tools: readonly ListedTool[];
}

/** Most requests for an endpoint's tools have the same answer as the last one. */
const lastListed = new WeakMap<Endpoint, ListedTools>();

/** Tools as clients see them. Clients with equal names of a tool get the same object. */
const shown = new WeakMap<object, { readonly name: string; readonly value: JsonObject }>();

function shownTool(tool: ToolDefinition, name: string, toAddress: ToAddress): JsonObject {
  const known = shown.get(tool);
  if (known?.name === name) return known.value;
  const definition = definitionOf(tool);
  const value = { ...rewriteDefinition(definition, toAddress), name };
  // The addresses in `_meta` differ between endpoints.
  if (definition["_meta"] === undefined) shown.set(tool, { name, value });
  return value;
}

export function listPrompts(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  return list(context, request, "prompts", "prompts", async (_, __, { server, catalog }) =>
    offersAll(request)
      ? catalog.prompts
          .filter(({ name: item }) => isOffered(request, { kind: "prompt", server: server.name, item }))
          .map((prompt) => {
            const name = context.offers.promptName(request, { server: server.name, name: prompt.name });
            return { key: name, value: { ...definitionOf(prompt), name } };
          })
      : [],
  );
}

export function listResources(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  return list(context, request, "resources", "resources", async (_, __, { server, catalog }) => {
    const toAddress = addressing(context, request.client.endpoint, server);
    const resources = offersAll(request) ? catalog.resources : [];
    const isVisible = ({ uri: item }: { readonly uri: string }): boolean =>
      isOffered(request, { kind: "resource", server: server.name, item });
    return resources.filter(isVisible).map((resource) => {
      const uri = toAddress(resource.uri);
      return { key: uri, value: { ...rewriteDefinition(definitionOf(resource), toAddress), uri } };
    });
  });
}

export function listTemplates(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  return list(context, request, "resourceTemplates", "resources", async (_, __, { server, catalog }) => {
    const toAddress = addressing(context, request.client.endpoint, server);
    const templates = offersAll(request) ? catalog.resourceTemplates : [];
    const isVisible = ({ uriTemplate: item }: { readonly uriTemplate: string }): boolean =>
      isOffered(request, { kind: "resource", server: server.name, item, isTemplate: true });
    return templates.filter(isVisible).map((template) => {
      const uriTemplate = toAddress(template.uriTemplate);
      return { key: uriTemplate, value: { ...definitionOf(template), uriTemplate } };
    });
  });
}

/** A bundle is a subset of a server's tools, so it has no resources or prompts. */
export function offersAll({ client: { endpoint } }: Pick<ClientRequest, "client">): boolean {
  return endpoint.bundles === undefined;
}
