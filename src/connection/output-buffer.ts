/** Keeps the beginning and the end of an output of any length. */
export class OutputBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #decoder = new TextDecoder();
  #head = "";
  #tail = "";
  #isCut = false;
  #lines: readonly (string | undefined)[] | undefined;

  constructor({ head, tail }: { readonly head: number; readonly tail: number }) {
    this.#headLimit = head;
    this.#tailLimit = tail;
  }

  add(chunk: Uint8Array): void {
    this.#lines = undefined;
    const text = this.#decoder.decode(chunk, { stream: true });
    const room = this.#headLimit - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    const tail = this.#tail + text.slice(Math.max(0, room));
    // Truncated only at twice the limit, so that many small chunks stay cheap.
    this.#isCut ||= tail.length > 2 * this.#tailLimit;
    this.#tail = tail.length > 2 * this.#tailLimit ? tail.slice(-this.#tailLimit) : tail;
  }

  /** Returns the lines, without empty ones. `undefined` marks a gap between the beginning and the end. */
  lines(): readonly (string | undefined)[] {
    this.#lines ??= this.#readLines();
    return this.#lines;
  }

  #readLines(): readonly (string | undefined)[] {
    if (!this.#isCut) return linesOf(this.#head + this.#tail);
    // The cut may split a secret, and the remaining half would not be recognized as one.
    const head = withoutLastWord(this.#head);
    const tail = this.#tail.slice(-this.#tailLimit).replace(/^\S+/, "");
    return [...linesOf(head), undefined, ...linesOf(tail)];
  }
}

/** The pattern \S+$ would take quadratic time. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}
