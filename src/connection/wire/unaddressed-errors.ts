import type { UnaddressedError } from "./message.ts";

/** A pending request. IDs increase in the order in which requests are sent. */
interface Waiting {
  readonly id: number;
}

/**
 * Finds the request that an error without an ID belongs to, on a channel where all responses arrive on one stream. A server
 * that cannot parse a message returns an error with `id: null`.
 *
 * Such an error fails a request only if it cannot belong to another message. Some servers also return errors for notifications.
 * With several pending requests, it fails them when there are as many errors as requests.
 */
export class UnaddressedErrors {
  /** For each notification or reply that may still cause an error: the last request that was sent before it. */
  #notices: number[] = [];
  /** The unassigned errors, each with the last request that was sent before it arrived. */
  #errors: { readonly error: UnaddressedError; readonly lastId: number }[] = [];

  /** Records a notification or reply that was sent after the request `lastId`. */
  sentNotice(lastId: number): void {
    if (this.#notices.length < 100) this.#notices.push(lastId);
  }

  /** Records a response. Servers answer in order, so earlier notifications will not cause an error any more. */
  answered(id: number): void {
    if (this.#notices.length > 0) this.#notices = this.#notices.filter((lastId) => lastId >= id);
  }

  /** Adds an error without an ID that arrived when `lastId` was the last request. */
  add(error: UnaddressedError, lastId: number): void {
    if (this.#notices.shift() !== undefined) return;
    if (this.#errors.length < 100) this.#errors.push({ error, lastId });
  }

  /** Whether there are no unassigned errors. */
  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  /** Returns the requests that must have failed, each with its error. */
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
