import type { UnaddressedError } from "./message.ts";

/** A request that waits for its answer. Ids grow with the order in which messages are sent. */
interface Waiting {
  readonly id: number;
}

/**
 * Finds the request that an error without an id belongs to, on a channel where all answers come on one stream. A server that
 * cannot read a message, or does not know its id, answers with `id: null`.
 *
 * Such an error fails a request only if no other message can be meant: it may also be an answer to one of our notifications,
 * which sloppy servers send. With several requests under way it fails them once there are as many errors as requests.
 */
export class UnaddressedErrors {
  /** For each notification or reply that may still be answered with an error: the last request that was sent before it. */
  #notices: number[] = [];
  /** For each error that is not settled: the last request that was sent before it came. */
  #errors: { readonly error: UnaddressedError; readonly lastId: number }[] = [];

  /** A notification or a reply was sent after the request `lastId`. */
  sentNotice(lastId: number): void {
    if (this.#notices.length < 100) this.#notices.push(lastId);
  }

  /** The request `id` was answered: servers answer in order, so what was sent before it will not be. */
  answered(id: number): void {
    this.#notices = this.#notices.filter((lastId) => lastId >= id);
  }

  /** An error without an id came when `lastId` was the last request sent. */
  add(error: UnaddressedError, lastId: number): void {
    if (this.#notices.shift() !== undefined) return;
    if (this.#errors.length < 100) this.#errors.push({ error, lastId });
  }

  /** Whether there is anything to match with requests. */
  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  /** The requests that must have failed, each with its error. */
  take<T extends Waiting>(waiting: Iterable<T>): (readonly [T, UnaddressedError])[] {
    const lastId = this.#errors.at(-1)?.lastId ?? 0;
    const candidates = [...waiting].filter(({ id }) => id <= lastId);
    if (candidates.length > this.#errors.length) return [];
    const errors = this.#errors;
    this.#errors = [];
    return candidates.flatMap((one, index) => {
      const found = errors[index];
      return found === undefined ? [] : [[one, found.error] as const];
    });
  }
}
