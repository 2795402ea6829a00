import type { JsonObject } from "../../model/index.ts";
import type { Clock, OutgoingResponse, ResponseStream } from "../../platform/index.ts";

/** A client that does not take this much is too slow: first it loses notifications. */
const MOST_UNSENT = 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;
const EVENTS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** The response to one POST: JSON, or an event stream once something must be sent before the answer. */
export class HttpAnswer {
  readonly #response: OutgoingResponse;
  readonly #clock: Clock;
  readonly #headers: Readonly<Record<string, string>>;
  #stream: ResponseStream | undefined;
  #stopTimer = (): void => {};
  #unsent = 0;
  #isClosed = false;

  constructor(response: OutgoingResponse, clock: Clock, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#clock = clock;
    this.#headers = headers;
    response.onClose(() => {
      this.#isClosed = true;
      this.#stopTimer();
    });
  }

  /** Opens the event stream at once, for streams without an answer. */
  open(): void {
    if (this.#stream !== undefined || this.#isClosed) return;
    this.#stream = this.#response.stream(200, { ...this.#headers, ...EVENTS });
    this.#keepAlive();
  }

  /** Sends a message before the answer. A notification is dropped if the client does not read. */
  send(message: JsonObject, { isRequest = false }: { readonly isRequest?: boolean } = {}): void {
    this.open();
    if (this.#isClosed || (!isRequest && this.#unsent > MOST_UNSENT)) return;
    this.#write(eventOf(JSON.stringify(message)));
  }

  /** Sends the answer. Returns its size, which is 0 if the client disconnected. */
  finish(status: number, message: JsonObject | undefined): number {
    if (this.#isClosed) return 0;
    this.#stopTimer();
    const text = message === undefined ? undefined : JSON.stringify(message);
    if (this.#stream !== undefined) {
      if (text !== undefined) this.#write(eventOf(text));
      this.#stopTimer();
      this.#stream.end();
    } else if (text === undefined) this.#response.send(status, this.#headers);
    else {
      const headers = { ...this.#headers, "content-type": "application/json" };
      this.#response.send(status, headers, text);
    }
    return text?.length ?? 0;
  }

  #write(text: string): void {
    this.#unsent = this.#stream?.write(text) ?? 0;
    this.#keepAlive();
  }

  /** Proxies end streams that are silent for long. */
  #keepAlive(): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(KEEP_ALIVE_MS, () => this.#write(": keep-alive\n\n"), {
      background: true,
    });
  }
}

function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
