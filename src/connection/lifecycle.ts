import {
  HostError,
  type HostErrorCode,
  type Installation,
  isHostError,
  messageOf,
  type ServerFacts,
} from "../model/index.ts";
import type { ConnectionState } from "./connection-state.ts";
import { failureOf } from "./wire/wire-error.ts";

/** The limits of automatic restarts. Each wait is longer than the previous one. */
export const RESTARTS = { most: 5, withinMs: 300_000, firstWaitMs: 500, longestWaitMs: 30_000 } as const;

/** The lifecycle state of one server. An immutable value: `next` returns its successor. */
export interface LifecycleState {
  readonly state: ConnectionState;
  /** The number of its last start. Events of earlier starts are ignored. */
  readonly run: number;
  /** The times of recent restarts. */
  readonly restarts: readonly number[];
  /** The number of running requests. */
  readonly busy: number;
  /** When it was last used. */
  readonly usedAt: number;
}

export type LifecycleEvent =
  | { readonly type: "used" }
  /** Its package is being installed. Without an installation, the installation has ended. */
  | { readonly type: "installing"; readonly run: number; readonly installation: Installation | undefined }
  | { readonly type: "opened"; readonly run: number; readonly facts: ServerFacts }
  | { readonly type: "failed"; readonly run: number; readonly error: unknown }
  | { readonly type: "ended"; readonly run: number; readonly message: string }
  | { readonly type: "asked" | "answered"; readonly run: number }
  | { readonly type: "stopped" }
  | { readonly type: "givenUp"; readonly error: HostError }
  /** A timer fired. */
  | { readonly type: "woken" };

/** The input of a transition besides the current state. */
export interface LifecycleContext {
  readonly server: string;
  readonly now: number;
  /** Stop the server after it has been unused for this long. */
  readonly idleStopMs: number | undefined;
}

export const INITIAL_STATE: LifecycleState = {
  state: { kind: "idle" },
  run: 0,
  restarts: [],
  busy: 0,
  usedAt: 0,
};

/** Applies an event. Returns the same object if the event changes nothing. */
export function next(life: LifecycleState, event: LifecycleEvent, context: LifecycleContext): LifecycleState {
  const { state, run } = life;
  const { now } = context;
  if ("run" in event && (event.run !== run || !isRunning(state))) return life;
  switch (event.type) {
    case "used":
      if (!isRunning(state)) return start(life, now);
      return context.idleStopMs === undefined ? life : { ...life, usedAt: now };
    case "installing":
      return whileInstalling(life, event.installation);
    case "opened":
      return { ...life, state: { kind: "connected", facts: event.facts }, usedAt: now };
    case "failed":
      return afterFailedStart(life, toHostError(event.error, context.server), context);
    case "ended": {
      const error = new HostError("CONNECTION_LOST", event.message, { server: context.server });
      return restartLater(life, error, context);
    }
    case "asked":
      return { ...life, busy: life.busy + 1 };
    case "answered":
      return { ...life, busy: life.busy - 1, usedAt: now };
    case "stopped":
      return state.kind === "idle" ? life : { ...INITIAL_STATE, run };
    case "givenUp":
      return { ...life, state: stateOfFailure(event.error) };
    case "woken":
      return afterTimer(life, context);
  }
}

/** Returns the number of the start that should be running, or `undefined` if the server should not run. */
export function desiredRun({ state, run }: LifecycleState): number | undefined {
  return isRunning(state) ? run : undefined;
}

/** Compares the start that should be running with the one that is. Returns what to end and what to start. */
export function reconcile(
  wanted: number | undefined,
  running: number | undefined,
): { readonly end: boolean; readonly start: boolean } {
  const differs = wanted !== running;
  return { end: differs && running !== undefined, start: differs && wanted !== undefined };
}

/** Returns when the next timer is due, or `undefined` if none is needed. */
export function nextTimerAt(
  { state, busy, usedAt }: LifecycleState,
  idleStopMs: number | undefined,
): number | undefined {
  if (state.kind === "reconnecting") return state.nextTryAt;
  const mayStop = state.kind === "connected" && busy === 0 && idleStopMs !== undefined;
  return mayStop ? usedAt + idleStopMs : undefined;
}

/** Returns the wait before a restart. It is shortened by up to 20 %, so that servers do not all restart at once. */
export function restartWaitMs(server: string, attempt: number): number {
  const { firstWaitMs, longestWaitMs } = RESTARTS;
  const wait = Math.min(longestWaitMs, firstWaitMs * 3 ** (attempt - 1));
  return Math.round(wait * (1 - 0.2 * hashToFraction(`${server}/${attempt}`)));
}

/** Hashes a text to a number from 0 to 1 (FNV-1a). */
function hashToFraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}

function isRunning(state: ConnectionState): boolean {
  return (
    state.kind === "installing" ||
    state.kind === "connecting" ||
    state.kind === "connected" ||
    (state.kind === "reconnecting" && state.nextTryAt === undefined)
  );
}

/** Starts the server. A pending restart happens immediately. */
function start({ state, run, restarts }: LifecycleState, now: number): LifecycleState {
  const fresh = { run: run + 1, busy: 0, usedAt: now };
  if (state.kind !== "reconnecting") return { ...fresh, state: { kind: "connecting" }, restarts };
  const { attempt, error } = state;
  return {
    ...fresh,
    state: { kind: "reconnecting", attempt, nextTryAt: undefined, error },
    restarts: [...recentRestarts(restarts, now), now],
  };
}

/** A server that restarts stays `reconnecting`, because that state includes why the connection was lost. */
function whileInstalling(life: LifecycleState, installation: Installation | undefined): LifecycleState {
  const { kind } = life.state;
  if (kind !== "installing" && (kind !== "connecting" || installation === undefined)) return life;
  const state: ConnectionState =
    installation === undefined ? { kind: "connecting" } : { kind: "installing", ...installation };
  return { ...life, state };
}

/** Only a server that was connected before is restarted. Other servers start again at their next use. */
function afterFailedStart(life: LifecycleState, error: HostError, context: LifecycleContext): LifecycleState {
  const isRestart = life.state.kind === "reconnecting";
  return isRestart && isTemporary(error)
    ? restartLater(life, error, context)
    : { ...life, state: stateOfFailure(error) };
}

function restartLater(
  life: LifecycleState,
  error: HostError,
  { server, now }: LifecycleContext,
): LifecycleState {
  const restarts = recentRestarts(life.restarts, now);
  if (restarts.length >= RESTARTS.most)
    return { ...life, restarts, state: stateOfFailure(tooManyRestarts(server, error)) };
  const attempt = restarts.length + 1;
  const nextTryAt = now + restartWaitMs(server, attempt);
  return { ...life, restarts, state: { kind: "reconnecting", attempt, nextTryAt, error } };
}

function afterTimer(life: LifecycleState, { now, idleStopMs }: LifecycleContext): LifecycleState {
  const due = nextTimerAt(life, idleStopMs);
  if (due === undefined || now < due) return life;
  return life.state.kind === "reconnecting" ? start(life, now) : { ...life, state: { kind: "idle" } };
}

/** Returns the restarts that still count towards the limit. */
function recentRestarts(restarts: readonly number[], now: number): readonly number[] {
  return restarts.filter((at) => now - at < RESTARTS.withinMs);
}

const TEMPORARY_ERRORS: ReadonlySet<HostErrorCode> = new Set([
  "CONNECT_FAILED",
  "CONNECT_TIMEOUT",
  "CONNECT_EXITED",
  "CONNECT_UNREACHABLE",
  "INSTALL_FAILED",
  "INSTALL_TIMEOUT",
  "CONNECTION_LOST",
]);

/** Returns whether a retry may succeed. A missing command, sign-in or supported protocol version will not fix itself. */
function isTemporary(error: HostError): boolean {
  return TEMPORARY_ERRORS.has(error.code) && failureOf(error.cause)?.kind !== "version";
}

function tooManyRestarts(server: string, last: HostError): HostError {
  const { most, withinMs } = RESTARTS;
  const message = `"${server}" was restarted ${most} times within ${withinMs / 60_000} minutes and will not be restarted again; last error: ${last.message}`;
  const hint = "Test the server to see the problem. Its next use starts it again.";
  return new HostError(last.code, message, { server, hint, cause: last });
}

function toHostError(error: unknown, server: string): HostError {
  return isHostError(error)
    ? error
    : new HostError("CONNECT_FAILED", messageOf(error), { server, cause: error });
}

function stateOfFailure(error: HostError): ConnectionState {
  if (error.code === "AUTH_CLIENT_REQUIRED") return { kind: "needs_client_registration", error };
  const needsAuth = error.code === "AUTH_REQUIRED" || error.reason === "signIn";
  return { kind: needsAuth ? "needs_auth" : "failed", error };
}
