import { isJsonObject, type JsonObject, type JsonValue, type Server } from "../../model/index.ts";
import { relayRequest } from "../../operations/index.ts";
import { delay, settledWithin } from "../../platform/index.ts";
import { isOffered } from "../access/check-rights.ts";
import type { ClientRequest } from "../client-request.ts";
import { toClientResult } from "../eras/to-client.ts";
import { addressing, type GatewayContext } from "../gateway-context.ts";
import { rewriteResult } from "../names/rewrite-addresses.ts";
import { METHOD_NOT_FOUND, RpcError } from "../rpc-error.ts";
import type { UpstreamCall } from "../upstream/upstreams.ts";
import { visibleServer } from "./call.ts";
import { type ClientTask, requireTasks, unknownTask, withRelatedTask } from "./client-tasks.ts";
import { questionFor, questionsFor, refuse } from "./relay-to-server.ts";
import { requestedLevel, TASKS_SINCE, toUpstreamParams } from "./upstream-params.ts";

/** How long a server may take to return the result of a task that has ended or needs input. */
const RESULT_MS = 600_000;
const USUAL_POLL_MS = 1_000;
const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 30_000;
/** How many tasks of a list are read again. */
const MOST_REFRESHED = 50;

/** Statuses of tasks that have ended. */
const ENDED: ReadonlySet<JsonValue | undefined> = new Set(["completed", "failed", "cancelled"]);

/** A task, and the server that runs it. */
interface Found {
  readonly task: ClientTask;
  readonly server: Server;
}

/** Relays `tasks/get` of both eras. */
export async function getTask(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const found = await findTask(context, request);
  const said = context.tasks.learn(found.task, await send(context, request, found, "tasks/get"));
  if (request.era === "modern" && ENDED.has(said["status"])) context.tasks.delivered(found.task); // with its result
  return toClientResult(
    request,
    request.era === "legacy" ? said : toClientTask(context, request, found, said),
  );
}

/** Relays `tasks/cancel` of both eras. */
export async function cancelTask(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const found = await findTask(context, request);
  const said = await send(context, request, found, "tasks/cancel");
  context.tasks.delivered(found.task);
  return toClientResult(request, request.era === "legacy" ? context.tasks.learn(found.task, said) : said);
}

/** Relays a modern client's `tasks/update`, with its answers to the task's requests for input. */
export async function updateTask(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const found = await findTask(context, request);
  const { inputResponses } = request.params;
  const said = await send(context, request, found, "tasks/update", { inputResponses: inputResponses ?? {} });
  return toClientResult(request, said);
}

/**
 * Relays a legacy client's `tasks/result`. The request lasts as long as the task, longer than any request's timeout, so this polls the
 * status until the task has a result or needs input.
 */
export async function getTaskResult(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  const found = await findTask(context, request);
  const { task, server } = found;
  for (;;) {
    const { status, pollInterval } = context.tasks.learn(
      task,
      await send(context, request, found, "tasks/get"),
    );
    if (status !== "working") break;
    await delay(context.workspace.ports.clock, pollMs(pollInterval), request.signal);
    request.signal.throwIfAborted();
  }
  const { upstreamId, id } = task;
  const ask: UpstreamCall["ask"] = async (method, params, signal) => {
    const question = questionFor(context, request, server, { method, params });
    const related = withRelatedTask(question.params, upstreamId, id);
    const answer = await request.ask(question.method, related, signal).catch(refuse);
    return withRelatedTask(answer, id, upstreamId);
  };
  const result = await send(context, request, found, "tasks/result", {}, ask);
  context.tasks.delivered(task);
  const { endpoint } = request.client;
  const rewritten =
    endpoint.verbatim === undefined ? rewriteResult(result, addressing(context, endpoint, server)) : result;
  return toClientResult(request, withRelatedTask(rewritten, upstreamId, id));
}

/** Answers a legacy client's `tasks/list` with the tasks of this client. Reads the status of running tasks again, as far as time allows. */
export async function listTasks(context: GatewayContext, request: ClientRequest): Promise<JsonObject> {
  assertKnown(request);
  await restore(context, request);
  const tasks: ClientTask[] = [];
  for (const task of context.tasks.of(request.client))
    if (await mayKnow(context, request, task)) tasks.push(task);
  const running = tasks
    .filter(({ known }) => known["status"] === "working" || known["status"] === "input_required")
    .slice(-MOST_REFRESHED);
  const refresh = async (task: ClientTask): Promise<void> => {
    const server = visibleServer(context, request, task.server);
    if (server !== undefined)
      context.tasks.learn(task, await send(context, request, { task, server }, "tasks/get"));
  };
  const refreshing = running.map((task) => refresh(task).catch(() => {})); // listed as last known
  if (refreshing.length > 0)
    await settledWithin(context.workspace.ports.clock, context.waitMs, Promise.all(refreshing));
  return toClientResult(request, { tasks: tasks.map(({ known }) => known) });
}

/** Throws if the client's version does not support tasks. */
function assertKnown(request: ClientRequest): void {
  if (request.era === "legacy" && request.version < TASKS_SINCE)
    throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${request.method}`);
  requireTasks(request);
}

/** Finds the tasks that the client created before this process started. */
function restore({ tasks, upstreams, workspace }: GatewayContext, request: ClientRequest): Promise<void> {
  return tasks.restore(request.client, (name) => {
    const server = workspace.inventory().servers.get(name);
    return server && upstreams.scopeFor(request.client, request, server);
  });
}

async function findTask(context: GatewayContext, request: ClientRequest): Promise<Found> {
  assertKnown(request);
  await restore(context, request);
  const task = context.tasks.find(request.client, request.params["taskId"]);
  const server = visibleServer(context, request, task.server);
  if (server === undefined || !(await mayKnow(context, request, task))) throw unknownTask();
  context.audit.note(request, { server: server.name });
  return { task, server };
}

/** Returns whether the client may still use the tool that created a task. */
async function mayKnow(context: GatewayContext, request: ClientRequest, task: ClientTask): Promise<boolean> {
  if (request.rights === undefined) return true;
  const server = visibleServer(context, request, task.server);
  return (
    server !== undefined &&
    isOffered(request, await context.offers.callSubject(request, server, task.tool, undefined))
  );
}

async function send(
  { upstreams, audit, logLevels }: GatewayContext,
  request: ClientRequest,
  { task: { scope, upstreamId }, server }: Found,
  method: string,
  more: JsonObject = {},
  ask?: UpstreamCall["ask"],
): Promise<JsonObject> {
  const { client, signal } = request;
  const call: UpstreamCall = {
    client,
    facts: request,
    ask,
    logLevel: requestedLevel(request),
    signal,
    notify: (name, notice) => request.notify(name, notice),
  };
  const relayed = {
    server: server.name,
    method,
    signal,
    origin: call,
    timeoutMs: method === "tasks/result" ? RESULT_MS : undefined,
    params: async (connection: Parameters<typeof toUpstreamParams>[2]) => {
      audit.note(request, { era: connection.facts.era });
      await logLevels.prepare(scope, server.name, request);
      return toUpstreamParams(request, { ...more, taskId: upstreamId }, connection);
    },
  };
  const { result } = await upstreams.during(scope, server.name, call, () =>
    relayRequest(scope.workspace, relayed),
  );
  return result;
}

/** Returns a modern server's task with the addresses and questions that the client sees. */
function toClientTask(
  context: GatewayContext,
  request: ClientRequest,
  { server }: Found,
  said: JsonObject,
): JsonObject {
  const { endpoint } = request.client;
  const { inputRequests, result } = said;
  const isRewritten = isJsonObject(result) && endpoint.verbatim === undefined;
  return {
    ...said,
    ...(inputRequests !== undefined && {
      inputRequests: questionsFor(context, request, server, inputRequests),
    }),
    ...(isRewritten && { result: rewriteResult(result, addressing(context, endpoint, server)) }),
  };
}

function pollMs(wanted: JsonValue | undefined): number {
  const ms = typeof wanted === "number" && wanted > 0 ? wanted : USUAL_POLL_MS;
  return Math.min(Math.max(ms, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}
