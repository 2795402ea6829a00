import type { Clock, OutgoingResponse } from "../../platform/index.ts";
import type { PageSnapshot } from "./api/page.ts";
import { PageFailure } from "./page-failure.ts";
import { PAGE_HEADERS } from "./page-request.ts";
import type { OpenPageSession } from "./page-sessions.ts";

const MOST_STREAMS = 32;
/** Proxies close streams that are idle for a long time. */
const KEEP_ALIVE_MS = 15_000;
/** A page with this many unread bytes is disconnected. It gets the complete state with its next stream. */
const MOST_UNSENT = 1024 * 1024;
/** How long browsers wait before they open a lost stream again. */
const RETRY_MS = 1_000;

interface OpenStream {
  send(text: string): void;
  end(): void;
}

/** The event streams of pages. Each event is a snapshot that is complete in itself, so a lost one is never sent again. */
export class PageStreams {
  readonly #clock: Clock;
  readonly #latest: () => PageSnapshot | Promise<PageSnapshot>;
  readonly #open = new Set<OpenStream>();

  /** `latest` returns the snapshot that a new stream starts with. */
  constructor(clock: Clock, latest: () => PageSnapshot | Promise<PageSnapshot>) {
    this.#clock = clock;
    this.#latest = latest;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Opens a stream until the page disconnects or its session ends. */
  async open(response: OutgoingResponse, { onEnd }: Pick<OpenPageSession, "onEnd">): Promise<void> {
    if (this.#open.size >= MOST_STREAMS)
      throw new PageFailure(429, "PAGE_BUSY", "Too many pages are open. Close some of them.");
    const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" };
    const stream = response.stream(200, { ...PAGE_HEADERS, ...headers });
    let stopTimer = (): void => {};
    const send = (text: string): void => {
      stopTimer();
      if (stream.write(text) > MOST_UNSENT) stream.abort();
      else stopTimer = this.#clock.after(KEEP_ALIVE_MS, () => send(": keep-alive\n\n"), { background: true });
    };
    const opened: OpenStream = { send, end: () => stream.end() };
    this.#open.add(opened);
    const forget = onEnd(() => opened.end());
    response.onClose(() => {
      stopTimer();
      this.#open.delete(opened);
      forget();
    });
    send(`retry: ${RETRY_MS}\n\n`);
    const snapshot = await this.#latest();
    if (this.#open.has(opened)) send(eventOf(snapshot));
  }

  publish(snapshot: PageSnapshot): void {
    const text = eventOf(snapshot);
    for (const stream of this.#open) stream.send(text);
  }

  close(): void {
    for (const stream of this.#open) stream.end();
  }
}

function eventOf(snapshot: PageSnapshot): string {
  return `event: snapshot\nid: ${snapshot.number}\ndata: ${JSON.stringify(snapshot)}\n\n`;
}
