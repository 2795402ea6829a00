/** Smaller bodies are always read. */
const SMALL = 64 * 1024;
/** The most bytes of larger bodies, for all requests in progress together and for those of one person. Parsed bodies are many times as large. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_PER_PERSON = 32 * 1024 * 1024;

/** The memory that is reserved for one body. */
export interface BodyRoom {
  /** Releases the memory that the body does not need. Its size was not known before. */
  shrink(bytes: number): void;
  /** Releases all of it. */
  release(): void;
}

/** Limits the memory for the messages of clients, from the first byte until the response. */
export class BodyBudget {
  readonly #people = new Map<string, number>();
  #used = 0;

  /** Reserves memory for a body. Returns `undefined` if there is not enough. */
  take(person: string, bytes: number): BodyRoom | undefined {
    const own = this.#people.get(person) ?? 0;
    const isLong = bytes > SMALL;
    if (isLong && (this.#used + bytes > MOST_BYTES || own + bytes > MOST_PER_PERSON)) return undefined;
    let taken = 0;
    const change = (wanted: number): void => {
      const next = wanted > SMALL ? wanted : 0;
      this.#add(person, next - taken);
      taken = next;
    };
    change(bytes);
    return { shrink: (size) => change(Math.min(size, taken)), release: () => change(0) };
  }

  #add(person: string, bytes: number): void {
    const own = (this.#people.get(person) ?? 0) + bytes;
    this.#used += bytes;
    if (own === 0) this.#people.delete(person);
    else this.#people.set(person, own);
  }
}
