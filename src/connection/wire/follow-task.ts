import { isJsonObject, type JsonObject, type JsonValue, shortLine, truncate } from "../../model/index.ts";
import { type Clock, delay, elapsed } from "../../platform/index.ts";
import { LONGEST_PROGRESS, shortValue } from "./message.ts";
import type { PeerRequest } from "./peer.ts";
import { abortedError, failureOf, WireError } from "./wire-error.ts";

const USUAL_WAIT_MS = 1_000;
const SHORTEST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 30_000;
/** How many status requests in a row may fail. The task keeps running in the meantime. */
const MOST_FAILURES = 3;
const CANCEL_MS = 5_000;
/** The same limits as for requests for input in a call that is not a task. */
const MOST_ROUNDS = 10;
const MOST_QUESTIONS = 16;
const LONGEST_KEY = 200;
const LONGEST_ID = 10_000;

export interface TaskContext {
  readonly clock: Clock;
  /** Sends a request in the negotiated era. */
  send(method: string, params: JsonObject, options: PeerRequest): Promise<JsonObject>;
  /** Answers the task's requests for input. Not set for legacy tasks, which send ordinary requests. */
  readonly answers?: (asked: JsonValue | undefined) => Promise<JsonObject>;
  /** Called before the task is followed. The returned function is called when it has ended. */
  readonly began?: ((taskId: string, ttl: JsonValue | undefined) => Promise<() => Promise<void>>) | undefined;
  /** Whether the task continues if the caller stops waiting. Otherwise it is cancelled. */
  readonly isKept?: boolean | undefined;
}

/**
 * Follows a call that became a task. Resolves with the task's result and reports its status messages as progress. Every status
 * counts as progress, so `timeoutMs` limits each request and `wholeMs` limits the task.
 */
export async function followTask(
  created: JsonObject,
  request: PeerRequest,
  { clock, send, answers, began, isKept = false }: TaskContext,
): Promise<JsonObject> {
  const { taskId } = created;
  if (typeof taskId !== "string") throw new WireError({ kind: "notMcp" }, "it created a task without an ID");
  if (taskId.length > LONGEST_ID)
    throw new WireError(
      { kind: "notMcp" },
      `it created a task with an ID of more than ${LONGEST_ID} characters`,
    );
  const { timeoutMs, wholeMs, signal, onProgress } = request;
  let started = elapsed(clock);
  const remainingMs = (): number | undefined =>
    wholeMs === undefined ? undefined : Math.max(wholeMs - (elapsed(clock) - started), 1);
  const answered = new Set<string>();
  let rounds = 0;
  let task = created;
  let failures = 0;
  const follow = async (): Promise<JsonObject> => {
    for (let step = 0; ; step += 1) {
      const { status, statusMessage } = task;
      if (step > 0 || statusMessage !== undefined) onProgress?.(progressOf(step, statusMessage));
      if (answers === undefined && status !== "working")
        return send("tasks/result", { taskId }, { timeoutMs, wholeMs: remainingMs(), signal });
      if (status !== "working" && status !== "input_required") return resultOf(task);
      if (status === "input_required" && answers !== undefined) {
        const fresh = nextQuestions(task["inputRequests"], answered);
        if (Object.keys(fresh).length > 0) {
          rounds += 1;
          if (rounds > MOST_ROUNDS)
            throw new WireError(
              { kind: "notMcp" },
              `its task requested input more than ${MOST_ROUNDS} times`,
            );
          const askedAt = elapsed(clock);
          const inputResponses = await answers(fresh);
          started += elapsed(clock) - askedAt; // the time limit is paused while a request for input is open
          await send("tasks/update", { taskId, inputResponses }, { timeoutMs, signal });
          for (const key of Object.keys(fresh)) answered.add(key);
        }
      }
      await delay(clock, waitOf(task["pollIntervalMs"] ?? task["pollInterval"]), signal);
      if (signal?.aborted) throw abortedError();
      if (wholeMs !== undefined && elapsed(clock) - started > wholeMs)
        throw new WireError({ kind: "timeout", wholeMs }, `its task did not end within ${wholeMs} ms`);
      try {
        task = await send("tasks/get", { taskId }, { timeoutMs, signal });
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures >= MOST_FAILURES || !isTemporary(error)) throw error;
      }
    }
  };
  const ended = await began?.(taskId, created["ttlMs"] ?? created["ttl"]);
  try {
    const result = await follow();
    await ended?.();
    return result;
  } catch (error) {
    if (isSettled(task, error)) await ended?.();
    // The task is cancelled when the caller stops waiting. If the server cannot be notified, the task stays known.
    if (!isKept && !isOver(task))
      void send("tasks/cancel", { taskId }, { timeoutMs: CANCEL_MS, isLastWord: true })
        .then(() => ended?.())
        .catch(() => {});
    throw error;
  }
}

/** Returns whether nothing more can be learned about a task after this error. */
function isSettled(task: JsonObject, error: unknown): boolean {
  return (
    task["status"] === "failed" || task["status"] === "cancelled" || failureOf(error)?.kind === "refused"
  );
}

function isOver({ status }: JsonObject): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function resultOf({ status, statusMessage, result, error }: JsonObject): JsonObject {
  if (status === "completed" && isJsonObject(result)) {
    const { resultType: _, ...rest } = result;
    return rest;
  }
  const said = typeof statusMessage === "string" ? `: ${shortLine(statusMessage, 500)}` : "";
  if (status === "cancelled") throw refused(-32000, `the server cancelled its task${said}`);
  if (status === "failed" && isJsonObject(error)) {
    const { code, message } = error;
    const text = typeof message === "string" ? message : `its task failed${said}`;
    throw refused(typeof code === "number" ? code : -32603, text);
  }
  throw new WireError({ kind: "notMcp" }, `its task has the unknown status ${shortValue(status)}`);
}

function refused(code: number, message: string): WireError {
  return new WireError({ kind: "refused", code }, message);
}

/** Tasks do not report how far they are, so the number of status requests is used, which always increases. */
function progressOf(step: number, message: JsonValue | undefined): { progress: number; message?: string } {
  return {
    progress: step,
    ...(typeof message === "string" && { message: truncate(message, LONGEST_PROGRESS) }),
  };
}

/** Returns the next unanswered requests for input. The others follow with the next status. */
function nextQuestions(asked: JsonValue | undefined, answered: ReadonlySet<string>): JsonObject {
  const fresh = unansweredRequests(asked, answered);
  if (fresh.every(([key]) => key.length <= LONGEST_KEY)) return Object.fromEntries(fresh);
  const message = `its task asked a question with a key of more than ${LONGEST_KEY} characters`;
  throw new WireError({ kind: "notMcp" }, message);
}

/** Returns the first unanswered requests for input, up to a limit. */
export function unansweredRequests(
  asked: JsonValue | undefined,
  answered: ReadonlySet<string> = new Set(),
): readonly (readonly [string, JsonValue])[] {
  const questions: (readonly [string, JsonValue])[] = [];
  if (!isJsonObject(asked)) return questions;
  // `Object.keys` would list all names, and there may be hundreds of thousands.
  for (const key in asked) {
    if (questions.length >= MOST_QUESTIONS) break;
    if (!answered.has(key)) questions.push([key, asked[key] ?? null]);
  }
  return questions;
}

function waitOf(wanted: JsonValue | undefined): number {
  const ms = typeof wanted === "number" && wanted > 0 ? wanted : USUAL_WAIT_MS;
  return Math.min(Math.max(ms, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** Returns whether a failed status request says nothing about the task itself. */
function isTemporary(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure?.kind === "status") return failure.status >= 500 || failure.status === 429;
  return failure?.kind === "timeout" || failure?.kind === "streamLost" || failure?.kind === "unreachable";
}
