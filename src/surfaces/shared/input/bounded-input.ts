/** The input limit in bytes. No tool accepts more. */
export const LARGEST_INPUT: number = 64 * 1024 * 1024;

/** Collects input up to the limit. `add` throws if the input is larger. */
export class BoundedInput {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > LARGEST_INPUT) throw tooLarge();
    this.#chunks.push(chunk);
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

export function tooLarge(): Error {
  return new Error(`it is larger than ${LARGEST_INPUT / 1024 / 1024} MB`);
}
