import type { Connection, RequestOptions } from "../../connection/index.ts";
import { type Bundle, HostError, type JsonObject } from "../../model/index.ts";
import { onServer, unlessCancelled } from "../lifecycle/on-server.ts";
import { isRepeatable, useTool } from "../tools/call-tool.ts";
import type { Workspace } from "../workspace.ts";
import { isReadOnly } from "./offered-lists.ts";

/** A request from a gateway's client to one server. */
export interface RelayedRequest {
  readonly server: string;
  readonly method: string;
  readonly signal: AbortSignal;
  /** The bundles that limit the tools. */
  readonly bundles?: readonly Bundle[] | undefined;
  /** Refuses tools that are not read-only. */
  readonly readOnly?: boolean | undefined;
  readonly onProgress?: RequestOptions["onProgress"];
  readonly followTasks?: RequestOptions["followTasks"];
  /** Replaces the timeout of the server's entry. */
  readonly timeoutMs?: number | undefined;
  readonly origin: object;
  /** Called before a call is sent that may be sent twice. */
  readonly onRepeatable?: (() => void) | undefined;
  /** Returns the parameters for this connection, whose era is known only when it is open. Called each time that the request is sent. */
  params(connection: RelayConnection): JsonObject | Promise<JsonObject>;
}

/** The dependencies of a relayed request. */
export type RelayConnection = Pick<Connection, "facts" | "capabilities">;

/** A server's unchanged response, and the connection that it arrived on. */
export interface RelayedAnswer {
  readonly result: JsonObject;
  readonly connection: RelayConnection;
}

/** Relays a tool call. The policy is the same as for `callTool`; the server checks the arguments itself. */
export function relayToolCall(
  workspace: Workspace,
  { tool, args }: { readonly tool: string; readonly args: JsonObject },
  request: RelayedRequest,
): Promise<RelayedAnswer> {
  const { server, signal, bundles } = request;
  const options = { signal, bundles, unchecked: true };
  return useTool(workspace, server, tool, args, options, (_, ready) => {
    if (request.readOnly === true && !isReadOnly(ready.server, ready.tool))
      throw new HostError("TOOL_DENIED", `Tool "${tool}" of "${server}" may change something.`, { server });
    const { facts, capabilities, request: send } = ready.connection;
    if (facts === undefined) throw new HostError("INTERNAL_BUG", `Tool "${tool}" has no connection.`);
    const connection = { facts, capabilities };
    const repeatable = isRepeatable(ready);
    if (repeatable) request.onRepeatable?.();
    const options = { ...optionsOf(request, ready.server.timeoutMs), repeatable };
    const sendWith = (params: JsonObject): Promise<RelayedAnswer> =>
      send.call(ready.connection, "tools/call", params, options).then((result) => ({ result, connection }));
    const params = request.params(connection);
    return params instanceof Promise ? params.then(sendWith) : sendWith(params);
  });
}

/** Relays any other request. The server must be allowed to run. */
export function relayRequest(workspace: Workspace, request: RelayedRequest): Promise<RelayedAnswer> {
  const { server: name, method, signal } = request;
  return onServer(workspace, { server: name, signal }, async ({ use, connect }) => {
    const prepare = async () => ({ server: await use(), connection: await connect() });
    const { server, connection } = await unlessCancelled(signal, prepare, name);
    const options = optionsOf(request, server.timeoutMs);
    const params = await request.params(connection);
    return { result: await connection.request(method, params, options), connection };
  });
}

function optionsOf(
  { signal, onProgress, origin, followTasks, timeoutMs }: RelayedRequest,
  usualMs: number,
): RequestOptions {
  return { timeoutMs: timeoutMs ?? usualMs, signal, onProgress, origin, followTasks, raw: true };
}
