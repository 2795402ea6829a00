import { messageOf } from "../../model/index.ts";
import { type Clock, jsonWeight } from "../../platform/index.ts";
import { Canceller } from "./canceller.ts";
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";
import { failureOf } from "./wire-error.ts";

/** How many replies are sent to one server at the same time. Over HTTP each needs a connection. */
const MOST_AT_ONCE = 8;
/** How many replies may wait. Further replies are dropped, because the server does not accept them. */
const MOST_WAITING = 64;
/** The total size of waiting replies. A larger reply is only sent if it does not have to wait. */
const WAITING_LIMITS = { depth: 128, weight: 8 * 1024 * 1024 };
/** Over HTTP, a reply that the server does not accept within this time is dropped to make room for the next one. */
const REPLY_MS = 30_000;

/** Sends replies to a server's requests, a few at a time. The queue is limited if the server does not accept them. */
export class Replies {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #waiting: { readonly reply: Message; readonly weight: number }[] = [];
  #weight = 0;
  readonly #sending = new Set<Canceller>();

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** Whether there is room for an unimportant reply. The other half of the queue is reserved for answers. */
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

  /** Drops waiting replies and cancels those being sent. */
  stop(): void {
    this.#waiting.length = 0;
    this.#weight = 0;
    for (const hangUp of this.#sending) hangUp.abort();
  }

  /** The server waits for an answer, even if the one that it should get cannot be sent. */
  async #sendRefusal({ id = null }: Message, error: unknown, signal: Canceller): Promise<void> {
    const refusal = { code: -32603, message: `The answer was not sent: ${messageOf(error)}` };
    await this.#channel.send({ jsonrpc: "2.0", id, error: refusal }, { signal }).catch(() => {});
  }

  async #transmit(reply: Message): Promise<void> {
    const hangUp = new Canceller();
    this.#sending.add(hangUp);
    const stopTimer = this.#clock.after(REPLY_MS, () => hangUp.abort(), { background: true });
    try {
      await this.#channel.send(reply, { signal: hangUp });
    } catch (error) {
      // Otherwise the server has disconnected or does not accept replies. No caller waits for this one.
      if (failureOf(error)?.kind === "unsendable") await this.#sendRefusal(reply, error, hangUp);
    }
    stopTimer();
    this.#sending.delete(hangUp);
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#weight -= next.weight;
    void this.#transmit(next.reply);
  }
}
