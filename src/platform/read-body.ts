import type { HttpResponse } from "./ports.ts";

/** A server decides how its body is split. Shorter pieces are collected in a buffer of this size. */
const BUFFER_BYTES = 64 * 1024;

/** Returns the whole body as text, or `undefined` if it has more than `limit` bytes. Rejects if it is cut short. */
export async function readBodyText(response: HttpResponse, limit: number): Promise<string | undefined> {
  const text = new TextOfBytes();
  return (await readPieces(response, limit, (chunk) => text.add(chunk))) ? text.end() : undefined;
}

/** Returns a small body as bytes, with the same limit. */
export async function readBody(response: HttpResponse, limit: number): Promise<Uint8Array | undefined> {
  let bytes = new Uint8Array(0);
  let length = 0;
  const isWhole = await readPieces(response, limit, (chunk) => {
    if (length + chunk.length > bytes.length) {
      const larger = new Uint8Array(Math.max(length + chunk.length, 2 * bytes.length));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(chunk, length);
    length += chunk.length;
  });
  return isWhole ? bytes.subarray(0, length) : undefined;
}

/** Resolves with whether the body is within the limit. */
function readPieces(
  response: HttpResponse,
  limit: number,
  onPiece: (chunk: Uint8Array) => void,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let size = 0;
    response.read(
      (chunk) => {
        size += chunk.length;
        if (size <= limit) onPiece(chunk);
        else {
          response.cancel();
          resolve(false);
        }
      },
      (error) => (error === undefined ? resolve(true) : reject(error)),
    );
  });
}

/** Decodes a body piece by piece. Decoding all of it at once would block the process and take twice the memory. */
class TextOfBytes {
  readonly #decoder = new TextDecoder();
  readonly #texts: string[] = [];
  #gathered: Uint8Array | undefined;
  #length = 0;
  /** Most bodies come in one piece. */
  #only: Uint8Array | undefined;
  #isFirst = true;

  add(chunk: Uint8Array): void {
    if (this.#isFirst) this.#only = chunk;
    else {
      const first = this.#only;
      this.#only = undefined;
      if (first !== undefined) this.#decode(first);
      this.#decode(chunk);
    }
    this.#isFirst = false;
  }

  end(): string {
    if (this.#only !== undefined) return this.#decoder.decode(this.#only);
    this.#flush();
    this.#texts.push(this.#decoder.decode());
    return this.#texts.join("");
  }

  #decode(chunk: Uint8Array): void {
    if (this.#length + chunk.length > BUFFER_BYTES) this.#flush();
    if (chunk.length > BUFFER_BYTES / 2) {
      this.#flush();
      this.#texts.push(this.#decoder.decode(chunk, { stream: true }));
      return;
    }
    this.#gathered ??= new Uint8Array(BUFFER_BYTES);
    this.#gathered.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  #flush(): void {
    if (this.#gathered === undefined || this.#length === 0) return;
    this.#texts.push(this.#decoder.decode(this.#gathered.subarray(0, this.#length), { stream: true }));
    this.#length = 0;
  }
}
