import type { JsonObject } from "../../model/index.ts";
import { definitionOf } from "../../operations/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import { addressing, type GatewayContext } from "../gateway-context.ts";
import type { ServerLists } from "../merge/offers.ts";
import { type PagedItem, pageOf } from "../merge/page.ts";
import { rewriteDefinition } from "../names/rewrite-addresses.ts";

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
  const { values, nextCursor } = pageOf(items.flat(), request.params["cursor"]);
  const ttls = lists.map(({ catalog }) => catalog.readings[kind].ttlMs ?? LONGEST_TTL_MS);
  const isComplete = lists.length === context.offers.servers(request).length;
  const ttlMs = isComplete ? Math.min(LONGEST_TTL_MS, ...ttls) : 0; // a client must not cache a list without some of the servers
  const result = { [key]: values, ...(nextCursor !== undefined && { nextCursor }) };
  return toClientResult(request, result, { ttlMs });
}

export function listTools(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  return list(context, request, "tools", "tools", async (_, __, lists) => {
    const { server } = lists;
    const toAddress = addressing(context, request.client.endpoint, server);
    const tools = await context.offers.tools(request, lists);
    return tools.map((tool) => {
      const name = context.offers.toolName(request, { server: server.name, name: tool.name });
      return { key: name, value: { ...rewriteDefinition(definitionOf(tool), toAddress), name } };
    });
  });
}

export function listPrompts(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  return list(context, request, "prompts", "prompts", async (_, __, { server, catalog }) =>
    offersAll(request)
      ? catalog.prompts.map((prompt) => {
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
    return resources.map((resource) => {
      const uri = toAddress(resource.uri);
      return { key: uri, value: { ...rewriteDefinition(definitionOf(resource), toAddress), uri } };
    });
  });
}

export function listTemplates(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  return list(context, request, "resourceTemplates", "resources", async (_, __, { server, catalog }) => {
    const toAddress = addressing(context, request.client.endpoint, server);
    const templates = offersAll(request) ? catalog.resourceTemplates : [];
    return templates.map((template) => {
      const uriTemplate = toAddress(template.uriTemplate);
      return { key: uriTemplate, value: { ...definitionOf(template), uriTemplate } };
    });
  });
}

/** A bundle is a subset of a server's tools, so it has no resources or prompts. */
export function offersAll({ client: { endpoint } }: Pick<ClientRequest, "client">): boolean {
  return endpoint.bundles === undefined;
}
