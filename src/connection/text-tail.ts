/** Keeps the last part of an endless text. */
export class TextTail {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #text = "";
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    const text = this.#text + this.#decoder.decode(chunk, { stream: true });
    // Cut only now and then, so that a flood of small pieces costs nothing.
    this.#isCut ||= text.length > 2 * this.#limit;
    this.#text = text.length > 2 * this.#limit ? text.slice(-this.#limit) : text;
  }

  lastLines(count: number): string {
    const kept = this.#text.slice(-this.#limit);
    // What is cut off may be the first half of a secret; the second half would not be known for one.
    const whole = this.#isCut || kept.length < this.#text.length ? kept.replace(/^\S+/, "") : kept;
    const lines = whole.split(/\r?\n/).filter((line) => line.trim() !== "");
    return lines.slice(-count).join("\n");
  }
}
