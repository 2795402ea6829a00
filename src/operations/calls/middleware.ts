import {
  type ElicitationAnswer,
  type ElicitationRequest,
  HostError,
  isHostError,
  isJsonObject,
  type JsonObject,
  messageOf,
  type PromptResult,
  type ResourceResult,
  type SamplingAnswer,
  type SamplingRequest,
  ToolAbortError,
  type ToolResult,
} from "../../model/index.ts";
import type { Session } from "../../session/index.ts";

/** The arguments and the result of each kind of call. */
export interface CallTypes {
  /** A call to a server's tool, or to a function that the program passed to a session. */
  readonly tool: { readonly args: JsonObject; readonly result: ToolResult };
  /** A resource that is read. */
  readonly resource: { readonly args: Readonly<Record<string, never>>; readonly result: ResourceResult };
  /** A prompt that is filled in. */
  readonly prompt: { readonly args: Readonly<Record<string, string>>; readonly result: PromptResult };
  /** A server's request to the user. */
  readonly elicitation: { readonly args: ElicitationRequest; readonly result: ElicitationAnswer };
  /** A server's request for a model response. */
  readonly sampling: { readonly args: SamplingRequest; readonly result: SamplingAnswer | undefined };
}

/** What middleware wraps. */
export type CallKind = keyof CallTypes;

/** A call as middleware sees it. */
export type MiddlewareCall<Kind extends CallKind = CallKind> = {
  readonly [Each in Kind]: {
    readonly kind: Each;
    /** The name of the server, as configured. */
    readonly server: string;
    /** The server's name for the tool, the URI of the resource, the name of the prompt, or the method of the server's request. */
    readonly tool: string;
    readonly args: CallTypes[Each]["args"];
    /** Sent as the request's `_meta`. */
    readonly meta: JsonObject;
    /** The session that made the call. `undefined` for a call by the host. */
    readonly session: Session | undefined;
    /** The person that the call is for. `undefined` for the host's own user. */
    readonly principal: string | undefined;
    /** Fires when the call is cancelled or the host is closed. */
    readonly signal: AbortSignal;
  };
}[Kind];

/** The result of any kind of call. */
export type MiddlewareResult = CallTypes[CallKind]["result"];

/** What a middleware changes about a call. */
export interface CallChange {
  /** Replaces the arguments. They go through all checks again. */
  readonly args?: MiddlewareCall["args"];
  /** Replaces the request's `_meta`. */
  readonly meta?: JsonObject;
}

/**
 * Runs around calls. Call `next` to make the call, with changes if needed, and return its result or another one. Throw an error to
 * refuse the call.
 */
export type Middleware = (
  call: MiddlewareCall,
  next: (change?: CallChange) => Promise<MiddlewareResult>,
) => Promise<MiddlewareResult>;

/** The middleware and events of a host's calls. */
export interface CallHooks {
  readonly middleware: readonly Middleware[];
  /** Returns whether the program listens to events. */
  isObserved(): boolean;
  /** Returns an id for the events of one call. */
  nextId(): number;
}

/** The check of each kind of result. */
const IS_RESULT: { readonly [Kind in CallKind]: (result: unknown) => result is CallTypes[Kind]["result"] } = {
  tool: (result): result is ToolResult =>
    hasList(result, "parts") && "text" in result && typeof result.text === "string" && "details" in result,
  resource: (result): result is ResourceResult => hasList(result, "contents"),
  prompt: (result): result is PromptResult => hasList(result, "messages"),
  elicitation: (result): result is ElicitationAnswer => isObject(result) && "action" in result,
  sampling: (result): result is SamplingAnswer | undefined =>
    result === undefined || (isObject(result) && "content" in result && "model" in result),
};

/** Returns whether a value has the shape of a result of this kind. The items of its lists are objects. */
export function isResultOf<Kind extends CallKind>(
  kind: Kind,
  result: unknown,
): result is CallTypes[Kind]["result"] {
  return IS_RESULT[kind](result);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function hasList<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown[]> {
  if (!isObject(value) || !(name in value)) return false;
  const list = (value as Record<Name, unknown>)[name];
  return Array.isArray(list) && list.every(isObject);
}

/** A call whose arguments may not fit its kind, because a middleware changed them. */
export type ChangedCall = Omit<MiddlewareCall, "args"> & { readonly args: JsonObject };

/** Runs a call through the middleware, the first one outermost. `make` gets the final call. */
export async function runMiddleware(
  chain: readonly Middleware[],
  call: MiddlewareCall,
  make: (call: ChangedCall) => Promise<MiddlewareResult>,
): Promise<MiddlewareResult> {
  const { kind, server } = call;
  const run = async (at: number, current: ChangedCall): Promise<MiddlewareResult> => {
    const step = chain[at];
    if (step === undefined) return make(current);
    const next = (change?: CallChange): Promise<MiddlewareResult> => {
      const running = (async () => run(at + 1, withChange(current, change)))();
      running.catch(() => {}); // a middleware that does not wait for the result must not end the process
      return running;
    };
    const result: unknown = await step(current as MiddlewareCall, next);
    if (isResultOf(kind, result)) return result;
    throw new TypeError(`it returned a value that is not the result of a "${kind}" call`);
  };
  try {
    return await run(0, withChange(call));
  } catch (error) {
    if (isHostError(error) || error instanceof ToolAbortError) throw error;
    const message = `A middleware failed: ${messageOf(error)}`;
    throw new HostError("MIDDLEWARE_FAILED", message, { server, cause: error });
  }
}

/** Applies a change. The arguments are copied, so that a person approves the same arguments that are sent. */
function withChange(call: MiddlewareCall | ChangedCall, change: CallChange = {}): ChangedCall {
  const args: unknown = change.args ?? call.args;
  const meta: unknown = change.meta ?? call.meta;
  if (!isJsonObject(args) || !isJsonObject(meta))
    throw new TypeError("it changed the arguments or the metadata to a value that is not an object");
  return Object.freeze({ ...call, args: structuredClone(args), meta: structuredClone(meta) });
}
