/** How many characters are encoded at once. */
const PIECE = 1024 * 1024;

/**
 * Yields the UTF-8 bytes of a text in pieces. All of them together may take three times the memory of the text, so the
 * pieces share one buffer: each is valid until the next is requested.
 */
export function* encodeInPieces(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(3 * Math.min(text.length, PIECE + 1));
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start + PIECE);
    const { written } = encoder.encodeInto(text.slice(start, end), buffer);
    yield buffer.subarray(0, written);
    start = end;
  }
}

/** Does not split a surrogate pair. */
function pieceEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
