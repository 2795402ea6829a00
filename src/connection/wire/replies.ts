import { type Clock, jsonWeight } from "../../platform/index.ts";
import type { Channel } from "./channel.ts";
import { HangUp } from "./hang-up.ts";
import type { Message } from "./message.ts";

/** Replies that are on their way to one server at a time: over HTTP each takes a connection. */
const MOST_AT_ONCE = 8;
/** Replies that wait for their turn; more are dropped, because the server does not take them. */
const MOST_WAITING = 64;
/** What all replies that wait may weigh. A longer one is sent only when none is on its way. */
const WAITING_LIMITS = { depth: 128, weight: 8 * 1024 * 1024 };
/** Over HTTP a reply that the server does not accept within this time is given up, so that the next one can be sent. */
const REPLY_MS = 30_000;

/** Sends replies to a server's requests, a few at a time. A server that does not take them cannot make them pile up. */
export class Replies {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #waiting: { readonly reply: Message; readonly weight: number }[] = [];
  #weight = 0;
  readonly #sending = new Set<HangUp>();

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** Whether there is room for a reply that may as well be dropped. The rest is kept for answers. */
  get hasRoom(): boolean {
    return this.#waiting.length < MOST_WAITING / 2;
  }

  send(reply: Message): void {
    if (this.#sending.size < MOST_AT_ONCE) void this.#transmit(reply);
    else if (this.#waiting.length < MOST_WAITING) this.#keep(reply);
  }

  #keep(reply: Message): void {
    const weight = jsonWeight(reply, { ...WAITING_LIMITS, weight: WAITING_LIMITS.weight - this.#weight });
    if (typeof weight !== "number") return;
    this.#waiting.push({ reply, weight });
    this.#weight += weight;
  }

  /** Drops what waits and cancels what is on its way. */
  stop(): void {
    this.#waiting.length = 0;
    this.#weight = 0;
    for (const hangUp of this.#sending) hangUp.abort();
  }

  async #transmit(reply: Message): Promise<void> {
    const hangUp = new HangUp();
    this.#sending.add(hangUp);
    const stopTimer = this.#clock.after(REPLY_MS, () => hangUp.abort(), { background: true });
    try {
      await this.#channel.send(reply, { signal: hangUp });
    } catch {
      // The server is gone or does not take replies; nothing waits for this one.
    }
    stopTimer();
    this.#sending.delete(hangUp);
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#weight -= next.weight;
    void this.#transmit(next.reply);
  }
}
