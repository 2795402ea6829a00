import { createLineFramer } from "../line-framer.ts";

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** The last id seen, which a resumed stream starts after. */
  readonly id: string | undefined;
}

export interface EventStreamOptions {
  onEvent(event: StreamEvent): void;
  onRetry?(ms: number): void;
  /** An event is larger than the limit; nothing after it is read. */
  onTooLarge(): void;
  readonly limit: number;
}

/** Lines of data that are kept one by one. An event may have millions of empty ones. */
const MOST_LINES = 1_000;

/** Parses an event stream piece by piece, as the HTML standard says. */
export function createEventStream({
  onEvent,
  onRetry,
  onTooLarge,
  limit,
}: EventStreamOptions): (chunk: Uint8Array) => void {
  /** The data of the event so far: lines, and before them blocks of lines that are joined already. */
  let data: string[] = [];
  let blocks: string[] = [];
  let size = 0;
  let event = "";
  let lastId: string | undefined;
  let stopped = false;
  let first = true;

  const tooLarge = (): void => {
    if (stopped) return;
    stopped = true;
    onTooLarge();
  };
  const field = (name: string, value: string): void => {
    switch (name) {
      case "data":
        data.push(value);
        if (data.length >= MOST_LINES) {
          blocks.push(data.join("\n"));
          data = [];
        }
        size += value.length + 1;
        if (size > limit) tooLarge();
        break;
      case "event":
        event = value;
        break;
      case "id":
        if (!value.includes("\0")) lastId = value;
        break;
      case "retry":
        if (/^\d+$/.test(value)) onRetry?.(Number(value));
        break;
      default: // a comment or an unknown field means nothing
    }
  };
  const onLine = (raw: string): void => {
    if (stopped) return;
    const line = first ? raw.replace(/^\ufeff/, "") : raw;
    first = false;
    if (line !== "") {
      const colon = line.indexOf(":");
      if (colon === -1) field(line, "");
      else if (colon > 0) field(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
      return;
    }
    const all = blocks.length === 0 ? data : [...blocks, ...data];
    if (all.length > 0 || event !== "")
      onEvent({ event: event || "message", data: all.join("\n"), id: lastId });
    else if (lastId !== undefined) onEvent({ event: "id", data: "", id: lastId });
    data = [];
    blocks = [];
    size = 0;
    event = "";
  };
  const push = createLineFramer({
    limit,
    onLine,
    onTooLong: () => tooLarge(),
  });
  const returnsAsLines = createReturnsAsLines();
  let unfinished = 0;
  return (chunk) => {
    if (stopped) return;
    const lines = returnsAsLines(chunk);
    push(lines);
    // A line that never ends must be given up before its end.
    const last = lines.lastIndexOf(10);
    unfinished = last === -1 ? unfinished + lines.length : lines.length - last - 1;
    if (unfinished > limit) tooLarge();
  };
}

/** A carriage return ends a line too, alone or before a line feed, which may come in the next piece. */
function createReturnsAsLines(): (chunk: Uint8Array) => Uint8Array {
  let isAfterReturn = false;
  return (chunk) => {
    if (!chunk.includes(13) && !isAfterReturn) return chunk; // no copy, mostly
    const lines = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte !== 10 || !isAfterReturn) {
        lines[length] = byte === 13 ? 10 : byte;
        length += 1;
      }
      isAfterReturn = byte === 13;
    }
    return lines.subarray(0, length);
  };
}
