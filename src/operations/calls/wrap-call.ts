import { HostError, type JsonObject } from "../../model/index.ts";
import { unlessAborted } from "../../platform/index.ts";
import type { Session } from "../../session/index.ts";
import { withEitherSignal } from "../lifecycle/either-signal.ts";
import { unlessCancelled } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";
import { publishCall } from "./call-events.ts";
import {
  type CallKind,
  type CallTypes,
  type ChangedCall,
  isResultOf,
  type MiddlewareCall,
  runMiddleware,
} from "./middleware.ts";

/** Who makes a call, and how it is cancelled. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
  readonly session?: Session | undefined;
  readonly meta?: JsonObject | undefined;
}

/** A call to wrap. */
interface WrappedCall<Kind extends CallKind> {
  readonly kind: Kind;
  readonly server: string;
  readonly tool: string;
  readonly context: CallContext;
  /** Throws if the call is not allowed, so that no middleware can answer it. Resolves with the arguments. */
  check(): Promise<CallTypes[Kind]["args"]>;
  /** Makes the call, and checks it again if a middleware may have changed it. */
  make(changed?: ChangedCall): Promise<CallTypes[Kind]["result"]>;
}

/** Returns whether calls need `wrapCall`. Other calls are made directly. */
export function isWrapped({ calls }: Workspace): boolean {
  return calls.middleware.length > 0 || calls.isObserved();
}

/** Returns the context with the final metadata. Empty metadata is omitted. */
export function withMeta<Context extends CallContext>(
  { meta: _, ...context }: Context,
  { meta }: ChangedCall,
): Omit<Context, "meta"> & { readonly meta?: JsonObject } {
  return { ...context, ...(Object.keys(meta).length > 0 && { meta }) };
}

/** Makes a call through the program's middleware, and publishes its start and end. */
export function wrapCall<Kind extends CallKind>(
  workspace: Workspace,
  call: WrappedCall<Kind>,
): Promise<CallTypes[Kind]["result"]> {
  const { middleware, isObserved } = workspace.calls;
  const run = (): Promise<CallTypes[Kind]["result"]> =>
    middleware.length === 0 ? call.make() : throughMiddleware(workspace, call);
  return isObserved() ? publishCall(workspace, call, run) : run();
}

async function throughMiddleware<Kind extends CallKind>(
  workspace: Workspace,
  { kind, server, tool, context, check, make }: WrappedCall<Kind>,
): Promise<CallTypes[Kind]["result"]> {
  const { principal, calls } = workspace;
  const { signal, session, meta = {} } = context;
  const args = await check();
  const running = createRunningCall(make);
  const result = await withEitherSignal(workspace, signal, (either) => {
    const call = { kind, server, tool, args, meta, session, principal, signal: either };
    const run = () => runMiddleware(calls.middleware, Object.freeze(call) as MiddlewareCall, running.make);
    // A middleware that ignores the signal must not keep the caller waiting.
    return unlessCancelled(signal, () => running.unlessClosed(workspace, run), server);
  });
  if (isResultOf(kind, result)) return result;
  throw new HostError("INTERNAL_BUG", "A middleware's result was not checked.", { server });
}

/** Tracks the call inside the middleware: if the host is closed meanwhile, the caller gets the error of the call, as without middleware. */
function createRunningCall<Result>(make: (changed: ChangedCall) => Promise<Result>) {
  let running: Promise<unknown> | undefined;
  return {
    make(changed: ChangedCall): Promise<Result> {
      const mine = make(changed);
      running = mine;
      const end = (): void => {
        if (running === mine) running = undefined;
      };
      mine.then(end, end);
      return mine;
    },
    async unlessClosed<T>({ closeSignal }: Workspace, run: () => Promise<T>): Promise<T> {
      let interrupted: Promise<unknown> | undefined;
      const onClose = (): Error => {
        interrupted = running;
        return new HostError("HOST_CLOSED", "This host is closed.");
      };
      try {
        return await unlessAborted(closeSignal, run, onClose);
      } catch (error) {
        await interrupted;
        throw error;
      }
    },
  };
}
