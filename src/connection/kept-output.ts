/** Keeps the beginning and the end of an endless text. */
export class KeptOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #decoder = new TextDecoder();
  #head = "";
  #tail = "";
  #isCut = false;

  constructor({ head, tail }: { readonly head: number; readonly tail: number }) {
    this.#headLimit = head;
    this.#tailLimit = tail;
  }

  add(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    const room = this.#headLimit - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    const tail = this.#tail + text.slice(Math.max(0, room));
    // Cut only now and then, so that a flood of small pieces costs nothing.
    this.#isCut ||= tail.length > 2 * this.#tailLimit;
    this.#tail = tail.length > 2 * this.#tailLimit ? tail.slice(-this.#tailLimit) : tail;
  }

  /** Its lines, empty ones left out; what is missing between beginning and end is marked by `undefined`. */
  lines(): (string | undefined)[] {
    if (!this.#isCut) return linesOf(this.#head + this.#tail);
    // What is cut off may be half of a secret; the other half would not be known for one.
    const head = this.#head.replace(/\S+$/, "");
    const tail = this.#tail.slice(-this.#tailLimit).replace(/^\S+/, "");
    return [...linesOf(head), undefined, ...linesOf(tail)];
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}
