import type { HttpResponse } from "./ports.ts";

/** Reads a response body. Returns `undefined` if it is larger than `limit` bytes. Rejects if the connection is lost. */
export function readBody(response: HttpResponse, limit: number): Promise<readonly Uint8Array[] | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    response.read(
      (chunk) => {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
        else {
          response.cancel();
          resolve(undefined);
        }
      },
      (error) => (error === undefined ? resolve(chunks) : reject(error)),
    );
  });
}
