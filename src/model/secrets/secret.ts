/**
 * A resolved value that may be secret. It prints as `[secret]`. Only `reveal()` returns the text, so uses are easy to
 * find.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    // Node's inspector cannot see private fields, but it would print the class instead of `[secret]`.
    Object.defineProperty(this, Symbol.for("nodejs.util.inspect.custom"), { value: () => "[secret]" });
  }

  /** Returns the secret text. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }
}
