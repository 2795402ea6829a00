import { isJsonObject, itemsOf, type JsonObject, type JsonValue } from "../model/index.ts";
import { type Clock, createListBudget, elapsed, unlessAborted } from "../platform/index.ts";
import type { RequestHandler } from "./wire/peer.ts";
import { METHOD_NOT_FOUND, RpcRefusal } from "./wire/rpc-refusal.ts";
import { callerGoneError, failureOf, WireError } from "./wire/wire-error.ts";

const HEADER_MISMATCH = -32020;
/** Before 2026-07-28, a server returns this error if the user has to visit a page first. */
const URL_ELICITATION_REQUIRED = -32042;
const MOST_PAGES = 100;
const MOST_VISITS = 8;

export interface RemedyContext {
  readonly modern: boolean;
  /** Whether a person may be asked to visit a page. */
  readonly mayAsk: boolean;
  /** Aborts when the caller stops waiting. */
  readonly signal: AbortSignal;
  readonly answer: RequestHandler;
  readonly clock: Clock;
  /** The time limit of one request. */
  readonly timeoutMs: number;
  /** Reads one page of the list of tools, which teaches the headers of their arguments. */
  listTools(params: JsonObject, timeoutMs: number): Promise<JsonObject>;
}

/** Returns what to do before a refused request is sent once more. Requests with these errors did not run. */
export function remedyFor(error: unknown, context: RemedyContext): (() => Promise<void>) | undefined {
  const failure = failureOf(error);
  if (failure?.kind !== "refused") return undefined;
  // The tool list, which defines the headers, may have come from the cache.
  if (failure.code === HEADER_MISMATCH && context.modern) return () => learnHeaders(context);
  if (failure.code === URL_ELICITATION_REQUIRED && !context.modern && context.mayAsk) {
    const { elicitations } = isJsonObject(failure.data) ? failure.data : {};
    const visits = itemsOf(elicitations);
    if (visits.length > 0) return () => visit(visits.slice(0, MOST_VISITS), error, context);
  }
  return undefined;
}

async function learnHeaders({ listTools, clock, timeoutMs }: RemedyContext): Promise<void> {
  let params: JsonObject = {};
  const nextLimit = createListBudget(() => elapsed(clock), timeoutMs);
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const pageMs = nextLimit();
    if (pageMs === undefined) return;
    const { nextCursor } = await listTools(params, pageMs);
    if (typeof nextCursor !== "string" || nextCursor === "") return;
    params = { cursor: nextCursor };
  }
}

/** Asks the user to visit every page. Throws the original error if the user declines. */
async function visit(
  visits: readonly JsonValue[],
  refusal: unknown,
  { answer, signal }: RemedyContext,
): Promise<void> {
  const method = "elicitation/create";
  for (const asked of visits.filter(isJsonObject)) {
    let action: JsonValue | undefined;
    try {
      const asking = () => answer(method, { ...asked, mode: "url" }, signal);
      ({ action } = await unlessAborted(signal, asking, callerGoneError));
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      const offered = error.code !== METHOD_NOT_FOUND;
      throw new WireError({ kind: "unanswered", method, offered }, error.message, { cause: error });
    }
    if (action !== "accept") throw refusal;
  }
}
