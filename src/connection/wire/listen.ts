import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { type Clock, delay } from "../../platform/index.ts";
import { type Agreement, type ClientIdentity, modernParams } from "./era.ts";

import type { Peer } from "./peer.ts";
import { failureOf } from "./wire-error.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A stream that lasted this long was a good one: the next is opened without growing patience. */
const GOOD_MS = 60_000;
/** What a timer can wait; the stream lasts as long as the connection. */
const FOREVER_MS = 2_147_483_647;

const KINDS = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
} as const;

export interface ListenOptions {
  readonly agreement: Agreement;
  readonly identity: ClientIdentity;
  readonly clock: Clock;
  /** Fires when the connection is over. */
  readonly signal: AbortSignal;
  /** Told after a stream was lost and opened again: anything may have changed meanwhile. */
  onReopened(): void;
}

/** In the modern era a server only speaks unasked on a stream that was asked for. Opens it, and opens it again when it drops. */
export async function listen(
  peer: Peer,
  { agreement, identity, clock, signal, onReopened }: ListenOptions,
): Promise<void> {
  const notifications = filterFor(agreement);
  if (!agreement.modern || Object.keys(notifications).length === 0) return;
  const params = modernParams({ notifications }, identity);
  for (let waitMs = FIRST_WAIT_MS, isFirst = true; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const opened = clock.now();
    const stream = peer.request("subscriptions/listen", params, { timeoutMs: FOREVER_MS });
    if (!isFirst) onReopened(); // only now: what changes from here on is heard
    isFirst = false;
    try {
      await stream;
    } catch (error) {
      if (isFinal(error)) return;
    }
    if (clock.now() - opened >= GOOD_MS) waitMs = FIRST_WAIT_MS;
    await delay(clock, waitMs, signal);
    if (signal.aborted) return;
  }
}

/** It is over, or such streams are not to be had here. */
function isFinal(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure?.kind === "status") return failure.status < 500 && failure.status !== 429;
  return failure?.kind === "closed" || failure?.kind === "refused" || failure?.kind === "notMcp";
}

function filterFor({ capabilities }: Agreement): JsonObject {
  const wanted = Object.entries(KINDS).filter(([capability]) => {
    const offered = capabilities[capability];
    return isJsonObject(offered) && offered["listChanged"] === true;
  });
  return Object.fromEntries(wanted.map(([, kind]) => [kind, true]));
}
