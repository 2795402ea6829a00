/** The largest message that a server may send on one line, in bytes. */
export const LONGEST_LINE: number = 16 * 1024 * 1024;

/** How many bytes of each end of a dropped line are reported. */
const ENDS = 256;
const NOTHING = new Uint8Array(0);
/** A buffer larger than this is released after its line. */
const SPARE_BYTES = 64 * 1024;

export interface LineFramerOptions {
  onLine(line: string): void;
  /** Called at the end of a line over the limit, with its first and last characters. The line is dropped. */
  onTooLong?(head: string, tail: string): void;
  /** Called when a line exceeds the limit, with its first characters. The line may never end. */
  onOverflow?(head: string): void;
  readonly limit?: number;
}

/** Splits a byte stream into lines. The buffer for an incomplete line doubles, so that bytes are rarely copied. */
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
  /** Ends a line that began in an earlier chunk or may be too long. */
  const finish = (piece: Uint8Array): void => {
    keep(piece);
    if (dropped === undefined) onLine(lineOf(textOf(kept, 0, length)));
    else onTooLong?.(decoder.decode(dropped.head), decoder.decode(dropped.tail));
    dropped = undefined;
    length = 0;
    if (kept.length > SPARE_BYTES) kept = NOTHING;
  };
  /** Returns the end of the next line if it cannot be decoded together with others, otherwise -1. */
  const endOfOne = (chunk: Uint8Array, start: number): number =>
    length > 0 || dropped !== undefined || chunk.length > limit ? chunk.indexOf(10, start) : -1;
  return (chunk) => {
    let start = 0;
    // Most chunks are whole lines, which need no search for the last line break.
    const last = chunk.length - 1;
    if (length === 0 && dropped === undefined && chunk[last] === 10 && last < limit) {
      const text = asBuffer(chunk).toString(); // faster than decoding a part of it
      eachLine(text.slice(0, -1), onLine);
      return;
    }
    for (let end = endOfOne(chunk, 0); end !== -1; end = endOfOne(chunk, start)) {
      finish(chunk.subarray(start, end));
      start = end + 1;
    }
    // The rest are complete lines and the start of another. Decoding them together costs as much as decoding one.
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

/** Removes a byte order mark before the line and a carriage return after it. */
function lineOf(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const end = text.charCodeAt(text.length - 1) === 13 ? text.length - 1 : text.length;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return asBuffer(bytes).toString("utf8", start, end);
}

/** A `Buffer` decodes in half the time of a `TextDecoder`. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Returns the first bytes of two consecutive pieces. */
function firstOf(before: Uint8Array, piece: Uint8Array): Uint8Array {
  return joined(before.subarray(0, ENDS), piece.subarray(0, Math.max(0, ENDS - before.length)));
}

/** Returns the last bytes of two consecutive pieces. */
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
