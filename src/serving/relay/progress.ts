import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { type Clock, elapsed } from "../../platform/index.ts";
import type { ClientRequest } from "../client-request.ts";

/** How many notifications a call may send at once, and per second after that. */
const MOST_AT_ONCE = 20;
const PER_SECOND = 20;

/**
 * Passes on a server's progress with the client's token. Values must increase, so others are dropped. If the client has no open request, or
 * too many notifications arrive, only the last one is kept.
 */
export class ProgressRelay {
  readonly #clock: Clock;
  #request: ClientRequest | undefined;
  #token: JsonValue | undefined;
  #last = Number.NEGATIVE_INFINITY;
  #pending: JsonObject | undefined;
  #allowance = MOST_AT_ONCE;
  #filledAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#filledAt = elapsed(clock);
  }

  /** Sends progress on this request from now on, if it has a token. */
  attach(request: ClientRequest): void {
    this.#request = request;
    this.#token = progressToken(request.params);
    this.#flush();
  }

  /** Sends the notification that was kept, because a response follows. */
  detach(): void {
    this.#flush();
    this.#request = undefined;
  }

  /** Handles the parameters of a server's notification. */
  readonly report = (params: JsonObject): void => {
    const { progress } = params;
    if (typeof progress !== "number" || !(progress > this.#last)) return;
    this.#last = progress;
    this.#pending = params;
    if (this.#mayNotify()) this.#flush();
  };

  #flush(): void {
    if (this.#pending === undefined || this.#request === undefined || this.#token === undefined) return;
    const params = { ...this.#pending, progressToken: this.#token };
    this.#pending = undefined;
    this.#request.notify("notifications/progress", params);
  }

  #mayNotify(): boolean {
    const now = elapsed(this.#clock);
    this.#allowance = Math.min(MOST_AT_ONCE, this.#allowance + ((now - this.#filledAt) / 1_000) * PER_SECOND);
    this.#filledAt = now;
    if (this.#allowance < 1) return false;
    this.#allowance -= 1;
    return true;
  }
}

function progressToken({ _meta: meta }: JsonObject): JsonValue | undefined {
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
