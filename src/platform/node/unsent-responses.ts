import type { ServerResponse } from "node:http";

const LOOK_MS = 1_000;
/** Less is not worth watching. Most responses are read at once. */
const LEAST_UNSENT = 16 * 1024;
/** A client that reads nothing of a response for this time is disconnected. */
const STALLED_MS = 30_000;
/** The most unread bytes of all clients together. Beyond this, the clients that have been reading for the longest time are disconnected. */
const MOST_UNSENT = 128 * 1024 * 1024;

interface Unsent {
  bytes: number;
  /** How long the client has taken nothing. */
  stalledMs: number;
}

/** Times and sizes, which tests make smaller. */
export interface UnsentLimits {
  readonly stalledMs: number;
  readonly bytes: number;
}

/** Ends responses that clients do not read. Node keeps them in memory until they are read, with their connections. */
export class UnsentResponses {
  readonly #limits: UnsentLimits;
  /** The oldest response is first. */
  readonly #responses = new Map<ServerResponse, Unsent>();
  /** Is called by the response that has ended. */
  readonly #onEnd: (this: ServerResponse) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: UnsentLimits = { stalledMs: STALLED_MS, bytes: MOST_UNSENT }) {
    this.#limits = limits;
    const responses = this.#responses;
    this.#onEnd = function onEnd() {
      responses.delete(this);
    };
  }

  /** Call it after something was written to a response. */
  watch(response: ServerResponse): void {
    if (response.writableLength < LEAST_UNSENT || this.#responses.has(response)) return;
    this.#responses.set(response, { bytes: response.writableLength, stalledMs: 0 });
    response.on("finish", this.#onEnd).on("close", this.#onEnd);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#responses.clear();
  }

  #forget(response: ServerResponse): void {
    this.#responses.delete(response);
    response.off("finish", this.#onEnd).off("close", this.#onEnd);
  }

  #look(): void {
    let total = 0;
    for (const [response, unsent] of this.#responses) {
      const before = unsent.bytes;
      unsent.bytes = response.writableLength;
      unsent.stalledMs = unsent.bytes < before ? 0 : unsent.stalledMs + LOOK_MS;
      total += unsent.bytes;
    }
    for (const [response, { bytes, stalledMs }] of this.#responses) {
      // A stream has its own limit, and may be written to continuously.
      const isStalled = response.writableEnded && stalledMs >= this.#limits.stalledMs;
      if (bytes === 0 && !response.writableEnded) this.#forget(response);
      if (!isStalled && total <= this.#limits.bytes) continue;
      response.destroy();
      total -= bytes;
    }
    if (this.#responses.size === 0) this.close();
  }
}
