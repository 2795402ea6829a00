import type { JsonObject } from "../../model/index.ts";
import type { Clock, OutgoingResponse, ResponseStream } from "../../platform/index.ts";
import type { GatewayContext } from "../gateway-context.ts";
import type { EventHistory, EventStream } from "./event-history.ts";
import { toText } from "./to-text.ts";

/** If a client does not read, its notifications are dropped first. Requests and responses are kept up to this multiple of the limit. */
const MOST_KEPT = 16;
const KEEP_ALIVE_MS = 15_000;
const EVENTS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

type Headers = Readonly<Record<string, string>>;

/** The data that a session keeps so that its clients can continue a stream. */
export interface Resumable {
  readonly history: EventHistory<HttpAnswer>;
  /** Whether the client accepts an empty event at the beginning. The event tells the client the stream's id before anything is sent on it. */
  readonly isPrimed: boolean;
}

/** The response to one POST: JSON, or an event stream if something must be sent before the result. */
export class HttpAnswer {
  readonly #clock: Clock;
  readonly #mostUnsent: number;
  readonly #resumable: Resumable | undefined;
  /** `undefined` once the answer is sent. */
  #response: OutgoingResponse | undefined;
  #headers: Headers;
  #stream: ResponseStream | undefined;
  #events: EventStream<HttpAnswer> | undefined;
  #stopTimer = (): void => {};
  #unsent = 0;
  /** Whether the client disconnected. */
  #isClosed = false;

  constructor(
    response: OutgoingResponse,
    { workspace, limits }: Pick<GatewayContext, "workspace" | "limits">,
    headers: Headers = {},
    resumable?: Resumable,
  ) {
    this.#response = response;
    this.#clock = workspace.ports.clock;
    this.#mostUnsent = limits.unsentBytes;
    this.#headers = headers;
    this.#resumable = resumable;
    this.#watch(response);
  }

  /** Opens the event stream immediately, for streams without a result. */
  open(): void {
    if (this.#stream !== undefined || this.#response === undefined || this.#isClosed) return;
    this.#stream = this.#response.stream(200, { ...this.#headers, ...EVENTS });
    this.#events = this.#resumable?.history.open(this);
    if (this.#resumable?.isPrimed === true) this.#keepAndWrite("");
    else this.#keepAlive();
  }

  /** Sends a message before the result. A notification is dropped if the client does not read. */
  send(message: JsonObject, { isRequest = false }: { readonly isRequest?: boolean } = {}): void {
    this.open();
    if (!isRequest && this.#unsent > this.#mostUnsent) return;
    this.#keepAndWrite(toText(message));
  }

  /** Sends the result. Returns its size, which is 0 if the client disconnected and cannot get it later. */
  finish(status: number, message: JsonObject | undefined, more: Headers = {}): number {
    if (this.#isClosed && this.#events === undefined) return 0;
    const text = message === undefined ? undefined : toText(message);
    if (this.#stream !== undefined) {
      if (text !== undefined) this.#keepAndWrite(text);
      if (!this.#isClosed) this.#stream.end();
    } else if (text === undefined) this.#response?.send(status, this.#headers);
    else {
      const headers = { ...this.#headers, ...more, "content-type": "application/json" };
      this.#response?.send(status, headers, text);
    }
    this.#stopTimer();
    if (this.#events !== undefined) this.#events.isEnded = true;
    this.#response = undefined;
    this.#stream = undefined;
    return text?.length ?? 0;
  }

  /** Continues the stream over a new connection, with the events that the client missed. */
  resume(
    response: OutgoingResponse,
    headers: Headers,
    missed: readonly { readonly id: string; readonly text: string }[],
  ): void {
    const isEnded = this.#response === undefined;
    if (!this.#isClosed) this.#stream?.end(); // the client opened a new connection before the end of the old one was detected
    const stream = response.stream(200, { ...headers, ...EVENTS });
    for (const { id, text } of missed) stream.write(eventOf(text, id));
    if (isEnded) return stream.end();
    this.#response = response;
    this.#headers = headers;
    this.#stream = stream;
    this.#isClosed = false;
    this.#watch(response);
    this.#keepAlive();
  }

  #watch(response: OutgoingResponse): void {
    response.onClose(() => {
      if (this.#response !== response) return;
      this.#isClosed = true;
      this.#unsent = 0;
      this.#stopTimer();
    });
  }

  #keepAndWrite(text: string): void {
    const id = this.#events && this.#resumable?.history.add(this.#events, text);
    if (!this.#isClosed) this.#write(eventOf(text, id));
  }

  #write(text: string): void {
    this.#unsent = this.#stream?.write(text) ?? 0;
    if (this.#unsent > this.#mostUnsent * MOST_KEPT) this.#stream?.abort();
    else this.#keepAlive();
  }

  /** Proxies close streams that are idle for a long time. */
  #keepAlive(): void {
    this.#stopTimer();
    const unsent = this.#unsent;
    const check = (): void => {
      this.#write(": keep-alive\n\n");
      const tookNothing = unsent > this.#mostUnsent && this.#unsent >= unsent;
      if (tookNothing) this.#stream?.abort();
    };
    this.#stopTimer = this.#clock.after(KEEP_ALIVE_MS, check, { background: true });
  }
}

/** The empty event at the beginning of a stream has no type, because there is no message in it. */
function eventOf(text: string, id: string | undefined): string {
  const name = id === undefined ? "" : `id: ${id}\n`;
  return text === "" ? `${name}data: \n\n` : `event: message\n${name}data: ${text}\n\n`;
}
