import { isJsonObject, type JsonObject, LEGACY_VERSIONS, MODERN_VERSION } from "../../model/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { GATEWAY_INFO, toClientResult } from "../eras/to-client.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { mergeInstructions } from "../merge/instructions.ts";
import { gatewayCapability } from "../own-gateway.ts";
import { METHOD_NOT_FOUND, RpcError, URL_SINCE } from "../rpc-error.ts";
import { assertShort } from "../upstream/capability-class.ts";
import { callTool, getPrompt } from "./call.ts";
import { TASKS } from "./client-tasks.ts";
import { listPrompts, listResources, listTemplates, listTools } from "./list.ts";
import { complete, readResource } from "./read-resource.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";
import { cancelTask, getTask, getTaskResult, listTasks, updateTask } from "./tasks.ts";
import { TASKS_SINCE } from "./upstream-params.ts";

type Answer = (context: GatewayContext, request: ClientRequest) => Promise<JsonObject>;

const BOTH: Readonly<Record<string, Answer>> = {
  "tools/list": listTools,
  "tools/call": callTool,
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
  "resources/list": listResources,
  "resources/templates/list": listTemplates,
  "resources/read": readResource,
  "completion/complete": complete,
};
const LEGACY: Readonly<Record<string, Answer>> = {
  ping: async () => ({}),
  "logging/setLevel": setLevel,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": unsubscribe,
  "tasks/get": getTask,
  "tasks/result": getTaskResult,
  "tasks/list": listTasks,
  "tasks/cancel": cancelTask,
};
const MODERN: Readonly<Record<string, Answer>> = {
  "server/discover": discover,
  "tasks/get": getTask,
  "tasks/update": updateTask,
  "tasks/cancel": cancelTask,
};

/** Answers a request of a client. Rejects with an `RpcError` or the error of the operation behind it. */
export function dispatch(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const { era, method } = request;
  const known = era === "legacy" ? LEGACY : MODERN;
  const answer = own(BOTH, method) ?? own(known, method);
  if (answer === undefined) return Promise.reject(unknownMethod(method));
  return answer(context, request);
}

export function unknownMethod(method: string): RpcError {
  return new RpcError(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 200)}`);
}

function own(answers: Readonly<Record<string, Answer>>, method: string): Answer | undefined {
  return Object.hasOwn(answers, method) ? answers[method] : undefined;
}

/** The same for every client. They cannot depend on the servers, which may not be running. */
export const GATEWAY_CAPABILITIES: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

const LEGACY_TASKS: JsonObject = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** Returns the result of `initialize`. Starts no server. */
export async function initialize(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  return {
    protocolVersion: request.version,
    capabilities: {
      ...GATEWAY_CAPABILITIES,
      ...gatewayCapability(context.workspace),
      ...(request.version >= TASKS_SINCE && { tasks: LEGACY_TASKS }),
    },
    serverInfo: GATEWAY_INFO,
    ...(await instructionsFor(context, request)),
  };
}

async function discover(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const result = {
    supportedVersions: [MODERN_VERSION],
    capabilities: {
      ...GATEWAY_CAPABILITIES,
      ...gatewayCapability(context.workspace),
      extensions: { [TASKS]: {} },
    },
    ...(await instructionsFor(context, request)),
  };
  return toClientResult(request, result, { ttlMs: 0 });
}

async function instructionsFor(
  { offers }: GatewayContext,
  request: ClientRequest,
): Promise<{ readonly instructions?: string }> {
  const known = await Promise.all(offers.servers(request).map((server) => offers.known(request, server)));
  const lists = known.filter((one) => one !== undefined);
  const instructions =
    request.client.endpoint.verbatim === undefined
      ? mergeInstructions(lists)
      : lists[0]?.catalog.instructions;
  return instructions === undefined ? {} : { instructions };
}

async function setLevel(
  { logLevels }: GatewayContext,
  { client, params }: ClientRequest,
): Promise<JsonObject> {
  logLevels.setLevel(client, params["level"]);
  return {};
}

/** Returns the legacy version to answer `initialize` with. */
export function legacyVersion({ protocolVersion }: JsonObject): string {
  const newest = LEGACY_VERSIONS[0] ?? "";
  return typeof protocolVersion === "string" && LEGACY_VERSIONS.includes(protocolVersion)
    ? protocolVersion
    : newest;
}

const ELICITATION_SINCE = "2025-06-18";

/**
 * Returns the capabilities of a legacy client that its version supports. Throws an `RpcError` if they are too large, because sessions keep them.
 */
export function capabilitiesOf({ capabilities }: JsonObject, version: string): JsonObject {
  if (!isJsonObject(capabilities)) return {};
  assertShort(capabilities);
  const { elicitation, ...others } = capabilities;
  if (!isJsonObject(elicitation) || version < ELICITATION_SINCE) return others;
  // Later versions added the modes `form` and `url`. Before that, the capability had no members.
  return { ...others, elicitation: version < URL_SINCE ? {} : elicitation };
}
