/** Keeps the beginning and the end of an output of any length. */
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
    // Truncated only at twice the limit, so that many small chunks stay cheap.
    this.#isCut ||= tail.length > 2 * this.#tailLimit;
    this.#tail = tail.length > 2 * this.#tailLimit ? tail.slice(-this.#tailLimit) : tail;
  }

  /** Returns the lines that are not empty. `undefined` marks a gap between the beginning and the end. */
  lines(): (string | undefined)[] {
    if (!this.#isCut) return linesOf(this.#head + this.#tail);
    // The word at a cut may be half of a secret, which would not be masked.
    const head = this.#head.replace(/\S+$/, "");
    const tail = this.#tail.slice(-this.#tailLimit).replace(/^\S+/, "");
    return [...linesOf(head), undefined, ...linesOf(tail)];
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}
