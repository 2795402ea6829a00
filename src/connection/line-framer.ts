/** The largest message a server may send on one line. */
const LONGEST_LINE = 16 * 1024 * 1024;

export interface LineFramerOptions {
  onLine(line: string): void;
  /** A line over the limit is dropped whole; the lines after it are read as usual. */
  onTooLong?(): void;
  readonly limit?: number;
}

/** Cuts a byte stream into lines without copying what came before: pieces are joined once, when a line is complete. */
export function createLineFramer({
  onLine,
  onTooLong,
  limit = LONGEST_LINE,
}: LineFramerOptions): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let pieces: Uint8Array[] = [];
  let length = 0;
  let dropping = false;

  const keep = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > limit) {
      dropping = true;
      pieces = [];
    } else if (piece.length > 0) {
      pieces.push(piece);
    }
  };
  const finish = (): void => {
    if (dropping) onTooLong?.();
    else onLine(decoder.decode(join(pieces, length)).replace(/\r$/, ""));
    pieces = [];
    length = 0;
    dropping = false;
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.slice(start));
  };
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
