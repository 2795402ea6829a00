/** The largest message a server may send on one line. */
export const LONGEST_LINE: number = 16 * 1024 * 1024;

/** How much of both ends of a dropped line is shown. */
const ENDS = 256;
const NOTHING = new Uint8Array(0);
/** A buffer that grew for one long line is let go of after it. */
const KEPT_SPARE = 64 * 1024;

export interface LineFramerOptions {
  onLine(line: string): void;
  /** A line over the limit is dropped whole; the lines after it are read as usual. Told how it began and how it ended. */
  onTooLong?(head: string, tail: string): void;
  /** A line has passed the limit and may never end. Told how it began. */
  onOverflow?(head: string): void;
  readonly limit?: number;
}

/** Cuts a byte stream into lines. The room for a line that is not complete doubles, so that no byte is copied often. */
export function createLineFramer({
  onLine,
  onTooLong,
  onOverflow,
  limit = LONGEST_LINE,
}: LineFramerOptions): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let kept = NOTHING;
  let length = 0;
  let dropped: { readonly head: Uint8Array; tail: Uint8Array } | undefined;

  const keep = (piece: Uint8Array): void => {
    if (dropped !== undefined) {
      dropped.tail = lastOf(dropped.tail, piece);
      return;
    }
    if (length + piece.length > limit) {
      const before = kept.subarray(0, length);
      dropped = { head: firstOf(before, piece), tail: lastOf(before, piece) };
      kept = NOTHING;
      length = 0;
      onOverflow?.(decoder.decode(dropped.head));
      return;
    }
    const needed = length + piece.length;
    if (needed > kept.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * kept.length, 1024));
      larger.set(kept.subarray(0, length));
      kept = larger;
    }
    kept.set(piece, length);
    length = needed;
  };
  /** The end of a line that began earlier, or of one that may be too long. */
  const finish = (piece: Uint8Array): void => {
    keep(piece);
    if (dropped === undefined) onLine(lineOf(textOf(kept, 0, length)));
    else onTooLong?.(decoder.decode(dropped.head), decoder.decode(dropped.tail));
    dropped = undefined;
    length = 0;
    if (kept.length > KEPT_SPARE) kept = NOTHING;
  };
  /** Where the next line ends, if it has to be looked at by itself. */
  const endOfOne = (chunk: Uint8Array, start: number): number =>
    length > 0 || dropped !== undefined || chunk.length > limit ? chunk.indexOf(10, start) : -1;
  return (chunk) => {
    let start = 0;
    for (let end = endOfOne(chunk, 0); end !== -1; end = endOfOne(chunk, start)) {
      finish(chunk.subarray(start, end));
      start = end + 1;
    }
    // What is left are whole lines and the beginning of another. Lines are decoded together: one is as much work as thirty.
    const end = chunk.lastIndexOf(10);
    if (end >= start) {
      eachLine(textOf(chunk, start, end), onLine);
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  };
}

function eachLine(text: string, onLine: (line: string) => void): void {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    onLine(lineOf(text.slice(start, end)));
    start = end + 1;
  }
  onLine(lineOf(start === 0 ? text : text.slice(start)));
}

/** Without what some programs put around a line: a mark before it, a carriage return after it. */
function lineOf(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const end = text.charCodeAt(text.length - 1) === 13 ? text.length - 1 : text.length;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** A `Buffer` decodes in half the time of a `TextDecoder`. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString("utf8", start, end);
}

/** The beginning of two pieces in a row. */
function firstOf(before: Uint8Array, piece: Uint8Array): Uint8Array {
  return joined(before.subarray(0, ENDS), piece.subarray(0, Math.max(0, ENDS - before.length)));
}

/** The end of two pieces in a row. */
function lastOf(before: Uint8Array, piece: Uint8Array): Uint8Array {
  const rest = Math.max(0, ENDS - piece.length);
  return joined(rest === 0 ? NOTHING : before.subarray(-rest), piece.subarray(-ENDS));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
