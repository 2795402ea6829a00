/** Splits text that arrives in pieces into lines. Each character is looked at once, however long a line is. */
export class LineSplitter {
  readonly #longest: number;
  #parts: string[] = [];
  #length = 0;

  /** `longest` is the limit for a line that has not ended yet. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Returns the lines that end in this piece, or `undefined` if the line that continues is too long. */
  push(text: string): string[] | undefined {
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#parts.push(text.slice(start, end));
      lines.push(this.rest());
      start = end + 1;
    }
    if (start < text.length) {
      this.#parts.push(text.slice(start));
      this.#length += text.length - start;
    }
    return this.#length > this.#longest ? undefined : lines;
  }

  /** Returns the text after the last line break, and forgets it. */
  rest(): string {
    const rest = this.#parts.join("");
    this.#parts = [];
    this.#length = 0;
    return rest;
  }
}
