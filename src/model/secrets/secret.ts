/** A resolved value that may be secret. Prints as `[secret]`; only `reveal()` gives the text, so uses are greppable. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    // Node's inspector would otherwise show the class; it never sees private fields, but say so plainly.
    Object.defineProperty(this, Symbol.for("nodejs.util.inspect.custom"), { value: () => "[secret]" });
  }

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
