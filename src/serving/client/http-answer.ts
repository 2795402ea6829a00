import type { JsonObject } from "../../model/index.ts";
import type { Clock, OutgoingResponse, ResponseStream } from "../../platform/index.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { toText } from "./to-text.ts";

/** If a client does not read, its notifications are dropped first. Requests and responses are kept up to this multiple of the limit. */
const MOST_KEPT = 16;
const KEEP_ALIVE_MS = 15_000;
const EVENTS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** The response to one POST: JSON, or an event stream if something must be sent before the result. */
export class HttpAnswer {
  readonly #response: OutgoingResponse;
  readonly #clock: Clock;
  readonly #mostUnsent: number;
  readonly #headers: Readonly<Record<string, string>>;
  #stream: ResponseStream | undefined;
  #stopTimer = (): void => {};
  #unsent = 0;
  #isClosed = false;

  constructor(
    response: OutgoingResponse,
    { workspace, limits }: Pick<GatewayContext, "workspace" | "limits">,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#response = response;
    this.#clock = workspace.ports.clock;
    this.#mostUnsent = limits.unsentBytes;
    this.#headers = headers;
    response.onClose(() => {
      this.#isClosed = true;
      this.#stopTimer();
    });
  }

  /** Opens the event stream immediately, for streams without a result. */
  open(): void {
    if (this.#stream !== undefined || this.#isClosed) return;
    this.#stream = this.#response.stream(200, { ...this.#headers, ...EVENTS });
    this.#keepAlive();
  }

  /** Sends a message before the result. A notification is dropped if the client does not read. */
  send(message: JsonObject, { isRequest = false }: { readonly isRequest?: boolean } = {}): void {
    this.open();
    if (this.#isClosed || (!isRequest && this.#unsent > this.#mostUnsent)) return;
    this.#write(eventOf(toText(message)));
  }

  /** Sends the result. Returns its size, which is 0 if the client disconnected. */
  finish(
    status: number,
    message: JsonObject | undefined,
    more: Readonly<Record<string, string>> = {},
  ): number {
    if (this.#isClosed) return 0;
    this.#stopTimer();
    const text = message === undefined ? undefined : toText(message);
    if (this.#stream !== undefined) {
      if (text !== undefined) this.#write(eventOf(text));
      this.#stopTimer();
      this.#stream.end();
    } else if (text === undefined) this.#response.send(status, this.#headers);
    else {
      const headers = { ...this.#headers, ...more, "content-type": "application/json" };
      this.#response.send(status, headers, text);
    }
    return text?.length ?? 0;
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

function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
