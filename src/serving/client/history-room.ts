/** The most characters that the histories of all sessions contain together. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** A history of events that can be emptied. */
export interface SharedHistory {
  forget(): void;
}

/** Limits the memory for the events that sessions can send again. The history without new events for the longest time is emptied first. */
export class HistoryRoom {
  readonly #most: number;
  readonly #histories = new Map<SharedHistory, number>();
  #used = 0;

  constructor(most: number = MOST_CHARACTERS) {
    this.#most = most;
  }

  /** Records how many characters a history contains now. */
  set(history: SharedHistory, characters: number): void {
    this.#used += characters - (this.#histories.get(history) ?? 0);
    this.#histories.delete(history);
    if (characters > 0) this.#histories.set(history, characters);
    for (const oldest of this.#histories.keys()) if (this.#used > this.#most) oldest.forget();
  }
}
