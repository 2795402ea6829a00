import { createLineFramer } from "../line-framer.ts";

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** The last event ID. A resumed stream continues after it. */
  readonly id: string | undefined;
}

export interface EventStreamOptions {
  onEvent(event: StreamEvent): void;
  onRetry?(ms: number): void;
  /** Called when an event exceeds the limit. The rest of the stream is not read. */
  onTooLarge(): void;
  readonly limit: number;
}

/** Data lines are joined in blocks of this size, because an event may have millions of empty lines. */
const MOST_LINES = 1_000;

/** Creates a parser for an event stream, as defined by the HTML standard. */
export function createEventStream({
  onEvent,
  onRetry,
  onTooLarge,
  limit,
}: EventStreamOptions): (chunk: Uint8Array) => void {
  /** The data lines of the current event. `blocks` holds earlier lines that are already joined. */
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
      default: // unknown fields are ignored
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
    // A line may never end, so its length is checked before its end.
    const last = lines.lastIndexOf(10);
    unfinished = last === -1 ? unfinished + lines.length : lines.length - last - 1;
    if (unfinished > limit) tooLarge();
  };
}

/** Converts carriage returns to line feeds. A line feed after a carriage return may be in the next chunk. */
function createReturnsAsLines(): (chunk: Uint8Array) => Uint8Array {
  let isAfterReturn = false;
  return (chunk) => {
    if (!chunk.includes(13) && !isAfterReturn) return chunk; // the common case needs no copy
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
