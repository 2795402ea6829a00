import { RpcRefusal, serverRefusalOf } from "../../connection/index.ts";
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type Server,
  type ToolProgress,
} from "../../model/index.ts";
import { type RelayedAnswer, relayRequest, relayToolCall } from "../../operations/index.ts";
import type { SubjectKind } from "../../policy/index.ts";
import { isOffered } from "../access/check-rights.ts";
import { withSignIn } from "../access/sign-in-pages.ts";
import type { ClientRequest } from "../client-request.ts";
import {
  createMaskBudget,
  type MaskBudget,
  maskNotification,
  maskQuestion,
} from "../eras/mask-for-client.ts";
import { assertComplete, toClientResult } from "../eras/to-client.ts";
import { addressing, type GatewayContext } from "../gateway-context.ts";
import { rewriteResult } from "../names/rewrite-addresses.ts";
import { INTERNAL_ERROR, MISSING_CAPABILITY, RpcError, URL_ELICITATION_REQUIRED } from "../rpc-error.ts";
import { hasRoots, legacyRoots, ROOTS, ROOTS_KEY, toRoots } from "../server-requests/client-roots.ts";
import { type Question, toQuestion } from "../server-requests/question.ts";
import { invalidState, type RetryState } from "../server-requests/request-state.ts";
import { type CallOutcome, SuspendableCall } from "../server-requests/suspendable-call.ts";
import type { UpstreamCall } from "../upstream/upstreams.ts";
import { followedTasks, isTask } from "./client-tasks.ts";
import { ProgressRelay } from "./progress.ts";
import { requestedLevel, toUpstreamParams } from "./upstream-params.ts";

/** How many times a modern server may request input for one call, and how many questions it may ask each time. */
const MOST_ROUNDS = 10;
const MOST_QUESTIONS = 16;
const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Where a client's request goes. */
export interface RelayTarget {
  readonly server: Server;
  /** The parameters with the server's own names and addresses. */
  readonly params: JsonObject;
  /** The server's own name of the tool, for `tools/call`. */
  readonly tool?: string;
  /** How long a modern client may keep the result. */
  readonly ttlMs?: number;
  /** The client's roots, if the server needs them. */
  readonly roots?: JsonObject | undefined;
}

/** Relays a request and everything that the server and the client send in between. Resolves with the result for the client. */
export function relayToServer(
  context: GatewayContext,
  request: ClientRequest,
  target: RelayTarget,
): Promise<JsonObject> {
  const { name, uri } = target.params;
  const item = [target.tool, name, uri].find((text) => typeof text === "string");
  context.audit.note(request, { server: target.server.name, ...(typeof item === "string" && { item }) });
  const relay = request.era === "legacy" ? relayForLegacy : relayForModern;
  return withSignIn(context, request, target.server.name, (asked) =>
    relay(context, asked, asked === request ? target : withoutRetry(target)),
  );
}

/** Returns the parameters of a request without earlier rounds. */
function withoutRetry(target: RelayTarget): RelayTarget {
  const { requestState: _, inputResponses: __, ...params } = target.params;
  return { ...target, params };
}

async function relayForLegacy(
  context: GatewayContext,
  request: ClientRequest,
  target: RelayTarget,
): Promise<JsonObject> {
  const progress = new ProgressRelay(context.workspace.ports.clock);
  progress.attach(request);
  const mayAsk = MAY_ASK.has(request.method);
  const roots = needsRoots(context, request, target.server)
    ? await legacyRoots(request, context.workspace.ports.clock)
    : undefined;
  const ask = (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    budget = createMaskBudget(),
  ): Promise<JsonObject> => {
    const question = questionFor(context, request, target.server, { method, params }, budget);
    return request.ask(question.method, question.params, signal).catch(refuse);
  };
  let { params } = target;
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const { result } = await send(
      context,
      request,
      { ...target, params },
      {
        signal: request.signal,
        progress,
        ask: mayAsk ? ask : undefined,
        roots,
      },
    );
    if (result["resultType"] !== "input_required" || !mayAsk) {
      progress.detach();
      return finish(context, request, target, result);
    }
    const { inputRequests, requestState } = result;
    const budget = createMaskBudget();
    params = {
      ...target.params,
      inputResponses: await answerAll(inputRequests, (method, asked) =>
        ask(method, asked, request.signal, budget),
      ),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new RpcError(
    INTERNAL_ERROR,
    `"${target.server.name}" requested input more than ${MOST_ROUNDS} times.`,
    { reason: "failed" },
  );
}

/** Asks the client all questions at once. A refusal ends the call, because modern servers do not accept errors as answers. */
async function answerAll(
  asked: JsonValue | undefined,
  ask: (method: string, params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  const questions = Object.entries(isJsonObject(asked) ? asked : {}).slice(0, MOST_QUESTIONS);
  const answers = questions.map(async ([key, question]) => {
    const { method, params } = isJsonObject(question) ? question : {};
    if (typeof method !== "string") return [key, {}] as const;
    return [key, await ask(method, isJsonObject(params) ? params : {})] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

async function relayForModern(
  context: GatewayContext,
  request: ClientRequest,
  target: RelayTarget,
): Promise<JsonObject> {
  const { requestState: given, inputResponses } = request.params;
  const { requestState: _, ...params } = target.params;
  const state = given === undefined ? undefined : context.states.open(request, given);
  // A resource of this address may belong to another server by now, which must get neither the state nor the answers.
  if (state?.kind === "wrap" && state.server !== target.server.name) throw invalidState();
  if (state?.kind === "suspended") {
    const call = context.suspended.find(request.client, state.call, target.server.name);
    return settle(context, request, target, call, call.resume(request, state.round, inputResponses));
  }
  const roots = rootsGiven(request, state);
  if (roots === undefined && needsRoots(context, request, target.server))
    return inputRequired({ [ROOTS_KEY]: { method: ROOTS } }, context.states.seal(request, { kind: "roots" }));
  const upstream = state?.kind === "wrap" ? state.upstream : undefined;
  const call = new SuspendableCall<RelayedAnswer>(
    context.workspace.ports.clock,
    new ProgressRelay(context.workspace.ports.clock),
  );
  const ask = (method: string, asked: JsonObject, signal: AbortSignal): Promise<JsonObject> =>
    call.ask(questionFor(context, request, target.server, { method, params: asked }), signal);
  const { inputResponses: __, ...first } = params;
  const sent = {
    ...(state?.kind === "again" || state?.kind === "roots" || state?.kind === "ask" ? first : params),
    ...(upstream !== undefined && { requestState: upstream }),
  };
  const outcome = call.start(request, () =>
    send(
      context,
      request,
      { ...target, params: sent },
      {
        signal: call.signal,
        progress: call.progress,
        ask: MAY_ASK.has(request.method) ? ask : undefined,
        roots,
        suspendable: call,
      },
    ),
  );
  return settle(context, request, { ...target, roots }, call, outcome);
}

/** Returns whether the client must be asked for its roots before the server gets the request. */
function needsRoots({ upstreams }: GatewayContext, request: ClientRequest, server: Server): boolean {
  if (!MAY_ASK.has(request.method) || !hasRoots(request) || !upstreams.asksForRoots(server)) return false;
  return isOffered(request, { kind: "roots", server: server.name });
}

/** Returns the roots that a modern client sent with this request, or with an earlier round of it. */
function rootsGiven({ params }: ClientRequest, state: RetryState | undefined): JsonObject | undefined {
  if (state?.kind === "again") return state.roots;
  const { inputResponses } = params;
  return state?.kind === "roots" && isJsonObject(inputResponses)
    ? toRoots(inputResponses[ROOTS_KEY])
    : undefined;
}

/** Returns the result for a modern client: the server's, or a request for input. */
async function settle(
  context: GatewayContext,
  request: ClientRequest,
  target: RelayTarget,
  call: SuspendableCall<RelayedAnswer>,
  running: Promise<CallOutcome<RelayedAnswer>>,
): Promise<JsonObject> {
  let outcome: CallOutcome<RelayedAnswer>;
  try {
    outcome = await running;
  } catch (error) {
    context.suspended.forget(call.id);
    const visits = pagesToVisit(context, request, target, error);
    if (visits === undefined) throw error;
    return inputRequired(visits, context.states.seal(request, { kind: "again", roots: target.roots }));
  }
  if ("inputRequests" in outcome) {
    context.suspended.keep(request.client, target.server.name, call);
    const state = { kind: "suspended", call: call.id, round: outcome.round } as const;
    return inputRequired(outcome.inputRequests, context.states.seal(request, state));
  }
  context.suspended.forget(call.id);
  const { result } = outcome.result;
  const { inputRequests, requestState: upstream } = result;
  if (result["resultType"] !== "input_required" || !MAY_ASK.has(request.method))
    return finish(context, request, target, result);
  const wrapped = context.states.seal(request, { kind: "wrap", server: target.server.name, upstream });
  const { ttlMs: _ttl, cacheScope: _scope, ...own } = result; // an incomplete result cannot be cached
  return {
    ...own,
    ...(inputRequests !== undefined && {
      inputRequests: questionsFor(context, request, target.server, inputRequests),
    }),
    ...(upstream !== undefined && { requestState: wrapped }),
  };
}

function inputRequired(inputRequests: JsonObject, requestState: string): JsonObject {
  return { resultType: "input_required", inputRequests, requestState };
}

/** A legacy server can refuse a call until the user has visited a page. Modern clients are asked to visit it, then call again. */
function pagesToVisit(
  context: GatewayContext,
  request: ClientRequest,
  { server }: RelayTarget,
  error: unknown,
): JsonObject | undefined {
  const refusal = serverRefusalOf(error);
  if (refusal?.code !== URL_ELICITATION_REQUIRED) return undefined;
  const { elicitations } = isJsonObject(refusal.data) ? refusal.data : {};
  const pages = itemsOf(elicitations).filter(isJsonObject).slice(0, MOST_QUESTIONS);
  if (pages.length === 0) return undefined;
  const budget = createMaskBudget();
  try {
    return Object.fromEntries(
      pages.map((page, index) => {
        const params = { ...page, mode: "url" };
        const asked = { method: "elicitation/create", params };
        const question = questionFor(context, request, server, asked, budget);
        return [`page-${index + 1}`, { ...question }];
      }),
    );
  } catch (cause) {
    if (!(cause instanceof RpcRefusal)) throw cause;
    throw new RpcError(MISSING_CAPABILITY, "The client must support url elicitation for this call.", {
      requiredCapabilities: { elicitation: { url: {} } },
    });
  }
}

/** How one request is sent. */
interface Sending {
  readonly signal: AbortSignal;
  readonly progress: ProgressRelay;
  readonly ask: UpstreamCall["ask"];
  readonly roots: JsonObject | undefined;
  readonly suspendable?: SuspendableCall<RelayedAnswer>;
}

function send(
  { upstreams, workspace, logLevels, tasks, serverLimits }: GatewayContext,
  request: ClientRequest,
  { server, params, tool }: RelayTarget,
  { signal, progress, ask, roots, suspendable }: Sending,
): Promise<RelayedAnswer> {
  const { client, method } = request;
  const { arguments: args } = params;
  const scope = upstreams.scopeFor(client, request, server, roots);
  const call: UpstreamCall = {
    client,
    facts: request,
    ask,
    logLevel: requestedLevel(request),
    signal,
    ...(suspendable && { suspendable }),
    notify: (name, notice) => (suspendable ?? request).notify(name, notice),
  };
  const relayed = {
    server: server.name,
    method,
    signal,
    bundles: client.endpoint.bundles,
    readOnly: client.endpoint.readOnly,
    origin: call,
    onRepeatable: request.onRepeatable,
    onProgress: (step: ToolProgress, raw: JsonObject | undefined) =>
      progress.report(maskNotification(workspace.redactor, raw ?? { ...step })),
    followTasks: followedTasks(request),
    params(connection: RelayedAnswer["connection"]) {
      request.relayed.era = connection.facts.era;
      const leveled = logLevels.prepare(scope, server.name, request);
      const rooted = upstreams.rootsSent(scope, server.name);
      const create = (): JsonObject => toUpstreamParams(request, params, connection);
      return leveled === undefined && rooted === undefined
        ? create()
        : Promise.all([leveled, rooted]).then(create);
    },
  };
  const relay = (): Promise<RelayedAnswer> => {
    if (tool === undefined) return relayRequest(scope.workspace, relayed);
    const called = { tool, args: isJsonObject(args) ? args : {} };
    return relayToolCall(scope.workspace, called, relayed).then(async ({ result, connection }) => ({
      result: await tasks.created(request, { scope, server: server.name, tool }, result),
      connection,
    }));
  };
  const during = (): Promise<RelayedAnswer> => upstreams.during(scope, server.name, call, relay);
  const person = request.rights?.principal.id;
  return serverLimits === undefined || person === undefined
    ? during()
    : serverLimits.run(server.name, person, signal, during);
}

/** Returns a modern server's requests for input, as the client sees them. */
export function questionsFor(
  context: GatewayContext,
  request: ClientRequest,
  server: Server,
  inputRequests: JsonValue,
): JsonObject {
  const budget = createMaskBudget();
  const asked = Object.entries(isJsonObject(inputRequests) ? inputRequests : {}).map(([key, question]) => {
    const { method, params } = isJsonObject(question) ? question : {};
    if (typeof method !== "string") return [key, {}] as const;
    const own = { method, params: isJsonObject(params) ? params : {} };
    return [key, { ...questionFor(context, request, server, own, budget) }] as const;
  });
  return Object.fromEntries(asked);
}

/** A server's requests, as rules name them. */
const QUESTION_KINDS: ReadonlyMap<string, SubjectKind> = new Map([
  ["elicitation/create", "elicitation"],
  ["sampling/createMessage", "sampling"],
  ["roots/list", "roots"],
]);

/** The server's name is included only if the client sees several servers. */
export function questionFor(
  context: GatewayContext,
  request: ClientRequest,
  server: Server,
  { method, params }: Question,
  budget: MaskBudget = createMaskBudget(),
): Question {
  const { endpoint } = request.client;
  const kind = QUESTION_KINDS.get(method);
  if (kind !== undefined && !isOffered(request, { kind, server: server.name }))
    throw new RpcRefusal(INTERNAL_ERROR, "The policy does not allow this request.");
  return toQuestion(request, method, maskQuestion(context.workspace.redactor, params, budget), {
    server: endpoint.verbatim === undefined ? server.name : undefined,
    toAddress: addressing(context, endpoint, server),
  });
}

function finish(
  context: GatewayContext,
  request: ClientRequest,
  { server, ttlMs }: RelayTarget,
  result: JsonObject,
): JsonObject {
  if (!isTask(request, result)) assertComplete(request, server.name, result);
  const { endpoint } = request.client;
  const rewritten =
    endpoint.verbatim === undefined ? rewriteResult(result, addressing(context, endpoint, server)) : result;
  const given = result["ttlMs"];
  const freshness = ttlMs === undefined ? undefined : { ttlMs: typeof given === "number" ? given : ttlMs };
  const complete = toClientResult(request, rewritten, freshness);
  return isTask(request, result) ? { ...complete, resultType: "task" } : complete;
}

/** The server gets the client's error. */
export function refuse(error: unknown): never {
  if (error instanceof RpcError) throw new RpcRefusal(error.code, error.message, error.data);
  throw error;
}
