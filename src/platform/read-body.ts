import type { HttpResponse } from "./ports.ts";

/** A server decides how its body is cut into pieces. Shorter pieces are gathered in a buffer of this size. */
const GATHERED = 64 * 1024;

/** The whole body as text; `undefined` if it has more than `limit` bytes. Rejects when it is cut short. */
export async function readBodyText(response: HttpResponse, limit: number): Promise<string | undefined> {
  const text = new TextOfBytes();
  return (await readPieces(response, limit, (chunk) => text.add(chunk))) ? text.end() : undefined;
}

/** The same as bytes, for bodies that are small. */
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

/** Decodes a body piece by piece: to decode all of it at once would block the process, and take its size once more. */
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
    if (this.#length + chunk.length > GATHERED) this.#flush();
    if (chunk.length > GATHERED / 2) {
      this.#flush();
      this.#texts.push(this.#decoder.decode(chunk, { stream: true }));
      return;
    }
    this.#gathered ??= new Uint8Array(GATHERED);
    this.#gathered.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  #flush(): void {
    if (this.#gathered === undefined || this.#length === 0) return;
    this.#texts.push(this.#decoder.decode(this.#gathered.subarray(0, this.#length), { stream: true }));
    this.#length = 0;
  }
}
