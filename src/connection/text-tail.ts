/** Keeps the last part of an endless text. */
export class TextTail {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    const text = this.#text + this.#decoder.decode(chunk, { stream: true });
    // Cut only now and then, so that a flood of small pieces costs nothing.
    this.#text = text.length > 2 * this.#limit ? text.slice(-this.#limit) : text;
  }

  lastLines(count: number): string {
    const lines = this.#text
      .slice(-this.#limit)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "");
    return lines.slice(-count).join("\n");
  }
}
