import { type Era, isJsonObject, type JsonObject, type JsonValue, truncate } from "../../model/index.ts";
import { type Clock, jsonWeight, unlessAborted } from "../../platform/index.ts";
import type { TaskJournal } from "../connection.ts";
import { type Agreement, type ClientIdentity, LOG_LEVEL, modernParams } from "./era.ts";
import { followTask, type TaskContext, unansweredRequests } from "./follow-task.ts";
import { shortValue } from "./message.ts";
import type { Peer, PeerRequest, RequestHandler } from "./peer.ts";
import { METHOD_NOT_FOUND, RpcRefusal } from "./rpc-refusal.ts";
import type { TaskTools } from "./task-tools.ts";
import { callerGoneError, WireError } from "./wire-error.ts";

const MOST_ROUNDS = 10;
/** The limits of a server's request state, which is sent back with every answer. */
const STATE_LIMITS = { depth: 64, weight: 1024 * 1024 };
/** Requests that a server may answer with a request for input. */
const CAN_REQUEST_INPUT: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

export interface SendOptionsInEra {
  readonly agreement: Agreement;
  readonly identity: ClientIdentity;
  readonly clock: Clock;
  /** Answers the server's requests, in both eras. */
  readonly onRequest: RequestHandler;
  /** Aborts when the connection ends. */
  readonly over: AbortSignal;
  /** Set if a legacy server supports tasks. */
  readonly taskTools: TaskTools | undefined;
  /** The log level to request from a modern server. */
  readonly logLevel: string;
  /** Returns the server's answer as it is, see `RequestOptions`. */
  readonly raw?: boolean | undefined;
  /** The eras of servers whose tasks a raw request follows, see `RequestOptions`. */
  readonly followTasks?: readonly Era[] | undefined;
  /** Remembers the tasks that are followed. */
  readonly journal?: TaskJournal | undefined;
  /** The task to continue instead of sending the request. */
  readonly resumeTask?: string | undefined;
}

/** Sends a request in the negotiated era. Resolves with the result without protocol fields. */
export function sendInEra(
  peer: Peer,
  method: string,
  params: JsonObject,
  request: PeerRequest,
  options: SendOptionsInEra,
): Promise<JsonObject> {
  const { agreement, taskTools, clock, raw, journal, resumeTask } = options;
  if (resumeTask !== undefined) return continueTask(peer, resumeTask, request, options);
  if (raw === true) return sendRaw(peer, method, params, request, options);
  if (agreement.modern) return converseModern(peer, method, params, request, options);
  return taskTools === undefined
    ? peer.request(method, params, request)
    : withTasks(peer, method, params, request, { taskTools, clock, journal });
}

/** Follows a task that an earlier request started. */
async function continueTask(
  peer: Peer,
  taskId: string,
  request: PeerRequest,
  options: SendOptionsInEra,
): Promise<JsonObject> {
  const { agreement, identity, clock } = options;
  const send: Peer["request"] = (method, params, how) =>
    peer.request(method, agreement.modern ? modernParams(params, identity) : params, how);
  const { timeoutMs, signal } = request;
  const current = await send("tasks/get", { taskId }, { timeoutMs, signal });
  return followTask({ ...current, taskId }, request, {
    clock,
    send,
    isKept: true,
    ...(agreement.modern && { answers: (asked) => answersTo(asked, request, options) }),
  });
}

async function sendRaw(
  peer: Peer,
  method: string,
  params: JsonObject,
  request: PeerRequest,
  options: SendOptionsInEra,
): Promise<JsonObject> {
  const { agreement, identity, taskTools, clock, journal, followTasks = [] } = options;
  const follows = method === "tools/call" && followTasks.includes(agreement.modern ? "modern" : "legacy");
  if (!agreement.modern)
    return follows && taskTools !== undefined
      ? withTasks(peer, method, params, request, { taskTools, clock, journal })
      : peer.request(method, params, request);
  const result = await peer.request(method, modernParams(params, identity), request);
  return follows && result["resultType"] === "task"
    ? followModernTask(peer, params["name"], result, request, options)
    : result;
}

function followModernTask(
  peer: Peer,
  tool: JsonValue | undefined,
  created: JsonObject,
  request: PeerRequest,
  options: SendOptionsInEra,
): Promise<JsonObject> {
  const send: Peer["request"] = (method, params, how) =>
    peer.request(method, modernParams(params, options.identity), how);
  return followTask(created, request, {
    clock: options.clock,
    send,
    answers: (asked) => answersTo(asked, request, options),
    began: beganOf(options.journal, tool),
  });
}

function beganOf(journal: TaskJournal | undefined, tool: JsonValue | undefined): TaskContext["began"] {
  return journal && ((taskId, ttl) => journal({ taskId, ttl, tool: typeof tool === "string" ? tool : "" }));
}

function answersTo(
  asked: JsonValue | undefined,
  { signal: caller, origin }: PeerRequest,
  { over, onRequest }: SendOptionsInEra,
): Promise<JsonObject> {
  const signal = caller === undefined ? over : AbortSignal.any([caller, over]);
  const answer: RequestHandler = (method, params, until) => onRequest(method, params, until, origin);
  return unlessAborted(signal, () => answerAll(asked, answer, signal), callerGoneError);
}

async function converseModern(
  peer: Peer,
  method: string,
  params: JsonObject,
  request: PeerRequest,
  options: SendOptionsInEra,
): Promise<JsonObject> {
  const { agreement, identity, logLevel } = options;
  const framed = agreement.capabilities["logging"] === undefined ? params : withLogLevel(params, logLevel);
  let current = framed;
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const result = await peer.request(method, modernParams(current, identity), request);
    const { resultType = "complete", inputRequests, requestState, ...rest } = result;
    if (resultType === "complete") return rest;
    if (resultType === "task" && method === "tools/call")
      return followModernTask(peer, params["name"], rest, request, options);
    if (requestState !== undefined && typeof jsonWeight(requestState, STATE_LIMITS) !== "number")
      throw new WireError({ kind: "notMcp" }, "it requested input with a request state that is too large");
    if (resultType !== "input_required" || !CAN_REQUEST_INPUT.has(method)) {
      throw new WireError(
        { kind: "notMcp" },
        `it returned a result of unknown type ${shortValue(resultType)}`,
      );
    }
    current = {
      ...framed,
      ...(inputRequests !== undefined && {
        inputResponses: await answersTo(inputRequests, request, options),
      }),
      // The server's state is returned unchanged.
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new WireError({ kind: "notMcp" }, `it requested input more than ${MOST_ROUNDS} times`);
}

/** Calls tools of revision 2025-11-25 that require a task as a task. */
async function withTasks(
  peer: Peer,
  method: string,
  params: JsonObject,
  request: PeerRequest,
  {
    taskTools,
    clock,
    journal,
  }: {
    readonly taskTools: TaskTools;
    readonly clock: Clock;
    readonly journal: TaskJournal | undefined;
  },
): Promise<JsonObject> {
  const { origin } = request;
  const send: Peer["request"] = (next, more, how) => peer.request(next, more, { ...how, origin });
  if (method === "tools/call" && (await taskTools.includes(params["name"], send, request, clock))) {
    const { task } = await send(method, { ...params, task: {} }, request);
    const began = beganOf(journal, params["name"]);
    return followTask(isJsonObject(task) ? task : {}, request, { clock, send, began });
  }
  const result = await send(method, params, request);
  if (method === "tools/list") taskTools.learn(result);
  return result;
}

/** Answers all requests for input, one after the other. Rejects if one of them cannot be answered. */
async function answerAll(
  asked: JsonValue | undefined,
  onRequest: RequestHandler,
  signal: AbortSignal,
): Promise<JsonObject> {
  const responses: [string, JsonValue][] = [];
  for (const [key, question] of unansweredRequests(asked)) {
    if (!isJsonObject(question) || typeof question["method"] !== "string") continue;
    const { method } = question;
    const params = isJsonObject(question["params"]) ? question["params"] : {};
    try {
      responses.push([key, await onRequest(method, params, signal)]);
    } catch (error) {
      throw error instanceof RpcRefusal ? unanswered(method, error) : error;
    }
  }
  return Object.fromEntries(responses);
}

function unanswered(method: string, cause: RpcRefusal): WireError {
  const offered = cause.code !== METHOD_NOT_FOUND;
  return new WireError({ kind: "unanswered", method: truncate(method, 100), offered }, cause.message, {
    cause,
  });
}

function withLogLevel(params: JsonObject, level: string): JsonObject {
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
  return { ...params, _meta: { [LOG_LEVEL]: level, ...meta } };
}
