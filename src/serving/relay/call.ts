import { isJsonObject, type JsonObject, type Server } from "../../model/index.ts";
import type { PolicyDecision } from "../../policy/index.ts";
import { withApproval } from "../access/ask-approval.ts";
import { decideFor, isOffered } from "../access/check-rights.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { CONNECT } from "../merge/connect-tool.ts";
import { META_NAMES } from "../merge/meta-mode.ts";
import { INVALID_PARAMS, RpcError } from "../rpc-error.ts";
import { offersAll, visibleTools } from "./list.ts";
import { relayToServer } from "./relay-to-server.ts";

/** Relays `tools/call`, or runs one of the gateway's own tools. */
export function callTool(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const { name } = request.params;
  const isOwn = typeof name === "string" && (name === CONNECT || META_NAMES.has(name));
  return isOwn ? callOwnTool(context, request) : relayCall(context, request);
}

async function callOwnTool(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const connected = await context.connectTool.run(context, request);
  if (connected !== undefined) return connected;
  const own = await context.metaMode.run(request, () => visibleTools(context, request));
  if (own !== undefined && "result" in own) return toClientResult(request, own.result);
  return relayCall(context, own?.call ?? request);
}

async function relayCall(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const { name } = request.params;
  const found =
    typeof name === "string"
      ? (context.offers.knownTool(request, name) ?? (await context.offers.findTool(request, name)))
      : undefined;
  const server = found && visibleServer(context, request, found.server);
  if (found === undefined || server === undefined) throw unknownName("tool", name);
  const { name: tool } = found;
  const decision = await decideCall(context, request, server, tool);
  return withApproval(context, request, { server: server.name, item: tool, decision }, (approved) =>
    relayToServer(context, approved, { server, params: { ...approved.params, name: tool }, tool }),
  );
}

/** Returns what the policy says about a call, and throws if it denies it. A tool that is never allowed looks as if it did not exist. */
async function decideCall(
  context: GatewayContext,
  request: ClientRequest,
  server: Server,
  tool: string,
): Promise<PolicyDecision | undefined> {
  if (request.rights === undefined) return undefined;
  const { name, arguments: args } = request.params;
  const subject = await context.offers.callSubject(request, server, tool, isJsonObject(args) ? args : {});
  return decideFor(context.audit, request, subject, () => unknownName("tool", name));
}

/** Relays `prompts/get`. */
export async function getPrompt(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const { name } = request.params;
  const found = await findPrompt(context, request, name);
  if (found === undefined) throw unknownName("prompt", name);
  const { server, own } = found;
  const subject = { kind: "prompt", server: server.name, item: own } as const;
  const decision = decideFor(context.audit, request, subject, () => unknownName("prompt", name));
  return withApproval(context, request, { server: server.name, item: own, decision }, (approved) =>
    relayToServer(context, approved, { server, params: { ...approved.params, name: own } }),
  );
}

/** Returns a prompt that the client's endpoint offers: its server, and the server's own name for it. */
export async function findPrompt(
  context: GatewayContext,
  request: ClientRequest,
  name: unknown,
): Promise<{ readonly server: Server; readonly own: string } | undefined> {
  if (typeof name !== "string" || !offersAll(request)) return undefined;
  const found = await context.offers.findPrompt(request, name);
  const server = found && visibleServer(context, request, found.server);
  if (found === undefined || server === undefined) return undefined;
  const isVisible = isOffered(request, { kind: "prompt", server: server.name, item: found.name });
  return isVisible ? { server, own: found.name } : undefined;
}

/** Returns a server that the client's endpoint offers. */
export function visibleServer(
  { offers }: GatewayContext,
  request: ClientRequest,
  name: string,
): Server | undefined {
  return offers.servers(request).find((server) => server.name === name);
}

function unknownName(kind: string, name: unknown): RpcError {
  return new RpcError(INVALID_PARAMS, `Unknown ${kind}: ${String(name).slice(0, 200)}`);
}
