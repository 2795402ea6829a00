/** Characters that are encoded at once. */
const PIECE = 1024 * 1024;

/** The bytes of a text in UTF-8, a piece at a time: all of them together may take three times the memory of the text. */
export function* encodeInPieces(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start + PIECE);
    yield encoder.encode(text.slice(start, end));
    start = end;
  }
}

/** Not between the halves of a character. */
function pieceEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
