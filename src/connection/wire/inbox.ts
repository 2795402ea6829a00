import { nextTurn, parseJsonInSlices, TooManyValuesError } from "../../platform/index.ts";
import { isMessage, type Message, messagesIn } from "./message.ts";

/** Text that is parsed and handled in one turn. A longer text is parsed in slices. */
const TEXT_PER_TURN = 256 * 1024;
/** What a text counts as at least: the work for each line is more than for its characters. */
const LEAST_PER_TEXT = 512;
/** Messages of a long batch that are handled in one turn. */
const MESSAGES_PER_TURN = 500;

export interface InboxOptions {
  receive(message: Message): void;
  /** The text is not JSON, or `count` parts of it are not messages. */
  onNoise?(text: string, count: number): void;
  /** Requests beyond the limit of one batch were dropped. */
  onDropped?(count: number): void;
  /** The text holds more values than are read. */
  onTooComplex?(text: string): void;
  /** One of the above threw. The message is dropped and the next one is read. */
  onError?(error: unknown): void;
}

/**
 * Takes the texts of one stream (lines, events, a body) and hands on the messages in them, in order. Other work gets its turn
 * in between, however much a server sends.
 */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #waiting: string[] = [];
  #textThisTurn = 0;
  #busy: Promise<void> | undefined;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Settles when everything that was accepted is handed on; `undefined` when that is so now. Never rejects. */
  get busy(): Promise<void> | undefined {
    return this.#busy;
  }

  accept(text: string): void {
    const isNext = this.#busy === undefined && this.#textThisTurn < TEXT_PER_TURN;
    if (isNext && text.length <= TEXT_PER_TURN) {
      this.#takeAtOnce(text);
      return;
    }
    this.#waiting.push(text);
    this.#busy ??= this.#drain();
  }

  async #drain(): Promise<void> {
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) {
      if (this.#textThisTurn >= TEXT_PER_TURN) await this.#nextTurn();
      if (text.length <= TEXT_PER_TURN) this.#takeAtOnce(text);
      else await this.#takeInSlices(text);
    }
    this.#busy = undefined;
  }

  async #nextTurn(): Promise<void> {
    await nextTurn();
    this.#textThisTurn = 0;
  }

  #takeAtOnce(text: string): void {
    this.#textThisTurn += Math.max(text.length, LEAST_PER_TEXT);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#safely(() => this.#options.onNoise?.(text, 1));
      return;
    }
    if (isMessage(value)) this.#receive(value);
    else for (const message of this.#messagesIn(value, text)) this.#receive(message);
  }

  async #takeInSlices(text: string): Promise<void> {
    let value: unknown;
    try {
      value = await parseJsonInSlices(text);
    } catch (error) {
      const isTooComplex = error instanceof TooManyValuesError;
      this.#safely(() =>
        isTooComplex ? this.#options.onTooComplex?.(text) : this.#options.onNoise?.(text, 1),
      );
      return;
    }
    for (const [index, message] of this.#messagesIn(value, text).entries()) {
      if (index > 0 && index % MESSAGES_PER_TURN === 0) await this.#nextTurn();
      this.#receive(message);
    }
  }

  #receive(message: Message): void {
    try {
      this.#options.receive(message);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Texts arrive in events of streams: what is thrown there would end the process. */
  #safely(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // There is no other place to report it to.
    }
  }

  #messagesIn(value: unknown, text: string): readonly Message[] {
    const { messages, noise, dropped } = messagesIn(value);
    if (noise > 0) this.#safely(() => this.#options.onNoise?.(text, noise));
    if (dropped > 0) this.#safely(() => this.#options.onDropped?.(dropped));
    return messages;
  }
}
