import { nextTurn, parseJsonInSlices, TooManyValuesError } from "../../platform/index.ts";
import { isMessage, type Message, messagesIn } from "./message.ts";

/** How many characters are parsed and handled in one event loop turn. A longer text is parsed in slices. */
const TEXT_PER_TURN = 256 * 1024;
/** The minimum that a text counts as, because every line has a fixed cost. */
const LEAST_PER_TEXT = 512;
/** How many messages of a long batch are handled in one turn. */
const MESSAGES_PER_TURN = 500;

export interface InboxOptions {
  receive(message: Message): void;
  /** Called if the text is not JSON, or if `count` parts of it are not messages. */
  onNoise?(text: string, count: number): void;
  /** Called with the number of requests that were dropped from a batch. */
  onDropped?(count: number): void;
  /** Called if the text contains too many values to parse. */
  onTooComplex?(text: string): void;
  /** Called if one of the callbacks above throws. The message is dropped and the next one is read. */
  onError?(error: unknown): void;
}

/**
 * Parses the texts of one stream (lines, events, a body) and passes on their messages in order. Yields to the event loop
 * regularly, no matter how much a server sends.
 */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #waiting: string[] = [];
  #textThisTurn = 0;
  #busy: Promise<void> | undefined;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Resolves when all accepted texts are handled. `undefined` if there is nothing to wait for. Never rejects. */
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

  /** Errors thrown in a stream event would end the process. */
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
      // The error handler itself failed.
    }
  }

  #messagesIn(value: unknown, text: string): readonly Message[] {
    const { messages, noise, dropped } = messagesIn(value);
    if (noise > 0) this.#safely(() => this.#options.onNoise?.(text, noise));
    if (dropped > 0) this.#safely(() => this.#options.onDropped?.(dropped));
    return messages;
  }
}
