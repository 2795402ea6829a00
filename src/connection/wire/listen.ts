import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { type Clock, delay } from "../../platform/index.ts";
import { type Agreement, type ClientIdentity, modernParams } from "./era.ts";

import type { Peer } from "./peer.ts";
import { failureOf } from "./wire-error.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** After a stream that lasted this long, the wait starts again at `FIRST_WAIT_MS`. */
const STABLE_MS = 60_000;
/** The longest delay of a timer, because the stream lasts as long as the connection. */
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
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
  /** Called after a stream was lost and reopened. Anything may have changed in the meantime. */
  onReopened(): void;
}

/** Opens the stream on which a modern server sends notifications, and reopens it when it ends. */
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
    if (!isFirst) onReopened(); // only now, because later changes arrive on the new stream
    isFirst = false;
    try {
      await stream;
    } catch (error) {
      if (isFinal(error)) return;
    }
    if (clock.now() - opened >= STABLE_MS) waitMs = FIRST_WAIT_MS;
    await delay(clock, waitMs, signal);
    if (signal.aborted) return;
  }
}

/** Returns whether the connection has ended or the server does not support such streams. */
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
