import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import type { RelayConnection } from "../../operations/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { METHOD_NOT_FOUND, ownError, RpcError } from "../rpc-error.ts";

const WIRE = "io.modelcontextprotocol/";
const LOG_LEVEL = `${WIRE}logLevel`;
/** How many gateways a request may pass. */
const HOPS = "dev.plugboard/hops";
export const MOST_HOPS = 4;
/** The first legacy version with tasks. */
export const TASKS_SINCE = "2025-11-25";

/** Returns the parameters for a server: the client's `_meta` without the keys that belong to the client's own connection. */
export function toUpstreamParams(
  request: Pick<ClientRequest, "era" | "version" | "client" | "method" | "params">,
  params: JsonObject,
  { facts, capabilities }: RelayConnection,
): JsonObject {
  const { era, client, params: given } = request;
  const meta = isJsonObject(given["_meta"]) ? given["_meta"] : {};
  const kept = Object.keys(meta).filter((key) => key !== "progressToken" && !key.startsWith(WIRE));
  const level = era === "modern" ? meta[LOG_LEVEL] : client.logLevel;
  const wantsLogs = facts.era === "modern" && capabilities?.["logging"] !== undefined;
  const own: Record<string, JsonValue> =
    kept.length === 0 ? {} : Object.fromEntries(kept.map((key) => [key, meta[key] ?? null]));
  if (wantsLogs && typeof level === "string") own[LOG_LEVEL] = level;
  own[HOPS] = nextHop(meta);
  const sent: Record<string, JsonValue> = { ...params, _meta: own };
  // Most requests have none of these, and removing a member takes time.
  if (facts.era === "legacy" && "inputResponses" in sent) delete sent["inputResponses"];
  if (facts.era === "legacy" && "requestState" in sent) delete sent["requestState"];
  if ("task" in sent) delete sent["task"];
  if (wantsTask(request)) sent["task"] = taskFor(request, { facts, capabilities });
  return sent;
}

/** Returns whether a legacy client requests that its call become a task. In the modern era, the server decides. */
export function wantsTask({
  era,
  version,
  method,
  params,
}: Pick<ClientRequest, "era" | "version" | "method" | "params">): boolean {
  return (
    era === "legacy" && version >= TASKS_SINCE && method === "tools/call" && isJsonObject(params["task"])
  );
}

/** Throws an `RpcError` if the server cannot run calls as tasks of the client's era. */
function taskFor(
  { params: { task } }: Pick<ClientRequest, "params">,
  { facts, capabilities }: RelayConnection,
): JsonObject {
  const { requests } = isJsonObject(capabilities?.["tasks"]) ? capabilities["tasks"] : {};
  const { tools } = isJsonObject(requests) ? requests : {};
  const isSupported = facts.era === "legacy" && isJsonObject(tools) && tools["call"] !== undefined;
  if (!isSupported || !isJsonObject(task))
    throw new RpcError(METHOD_NOT_FOUND, "The tool's server does not run calls as tasks.");
  return task;
}

/** Returns the log level that a modern request asks for. A request without one gets no log messages. */
export function requestedLevel({ params }: Pick<ClientRequest, "params">): string | undefined {
  const level = isJsonObject(params["_meta"]) ? params["_meta"][LOG_LEVEL] : undefined;
  return typeof level === "string" ? level : undefined;
}

/** Stops requests that loop through several gateways. */
function nextHop({ [HOPS]: hops }: JsonObject): number {
  const count = typeof hops === "number" && Number.isInteger(hops) && hops > 0 ? hops : 0;
  if (count >= MOST_HOPS) throw ownError("loop", `The request passed ${MOST_HOPS} gateways already.`);
  return count + 1;
}
