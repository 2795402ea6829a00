import {
  type Clock,
  type Http,
  type HttpResponse,
  isSameOrigin,
  settledWithin,
} from "../../platform/index.ts";
import type { Channel, SendOptions } from "../wire/channel.ts";
import { Inbox } from "../wire/inbox.ts";
import { isMessageId, type Message, type MessageId } from "../wire/message.ts";
import { serialize } from "../wire/serialize.ts";
import { WireError } from "../wire/wire-error.ts";
import { createEventStream } from "./event-stream.ts";
import { exchange, readText, statusError } from "./exchange.ts";
import { addressed, parseMessages, tooComplex } from "./read-events.ts";
import { UnusedBodies } from "./unused-bodies.ts";

const LARGEST_EVENT = 16 * 1024 * 1024;
const LARGEST_REFUSAL = 64 * 1024;
/** How long to wait for the endpoint event. A stream without one may belong to a Streamable HTTP server. */
const ENDPOINT_MS = 3_000;
/** How long the body of a response to a message is read. */
const BODY_MS = 5_000;

export interface SseChannelOptions {
  readonly http: Http;
  readonly clock: Clock;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The legacy HTTP+SSE transport (2024-11-05): one stream delivers all messages, requests are sent with POST. */
export class SseChannel implements Channel {
  readonly transport = "sse";
  readonly perRequest = false;
  readonly ended: Promise<void>;

  readonly #options: SseChannelOptions;
  readonly #closing = new AbortController();
  #end: () => void = () => {};
  #receive: (message: Message) => void = () => {};
  #endpoint: URL | undefined;
  #version: string | undefined;
  readonly #unused: UnusedBodies;

  constructor(options: SseChannelOptions) {
    this.#options = options;
    this.#unused = new UnusedBodies(options.clock);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Resolves when the endpoint event has arrived. */
  async start(receive: (message: Message) => void): Promise<void> {
    const { http, clock, url, headers } = this.#options;
    this.#receive = receive;
    let from = url;
    const request = {
      url,
      method: "GET",
      headers: { ...headers, accept: "text/event-stream" },
      signal: this.#closing.signal,
    } as const;
    const onMoved = (moved: URL): void => {
      from = moved;
    };
    const response = await exchange(http, request, { repeatable: true, onMoved });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !type.startsWith("text/event-stream")) {
      response.cancel();
      if (response.status !== 200) throw statusError(response, clock);
      throw new WireError(
        { kind: "notMcp" },
        `it returned ${type || "no content type"} instead of an event stream`,
      );
    }
    await this.#follow(response, from, receive);
  }

  negotiated({ version }: { version: string }): void {
    this.#version = version;
  }

  async send(message: Message, { signal, headers: extra }: SendOptions = {}): Promise<void> {
    if (this.#endpoint === undefined) throw new WireError({ kind: "closed" }, "the stream is not open");
    const { http, clock, headers } = this.#options;
    const request = {
      url: this.#endpoint,
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        ...(this.#version !== undefined && { "mcp-protocol-version": this.#version }),
        ...extra,
      },
      body: serialize(message),
      signal: signal ?? this.#closing.signal,
    } as const;
    const response = await exchange(http, request, { repeatable: message["method"] !== "tools/call" });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const isSuccess = response.status >= 200 && response.status < 300;
    const { id, method } = message;
    const isRequest = isMessageId(id) && method !== undefined;
    if (isRequest && isSuccess && isJson) void this.#readBody(response, id);
    else {
      const discarded = this.#unused.discard(response);
      // The server decides how many replies there are, so each counts until its response is over.
      if (method === undefined) await discarded;
    }
    if (!isSuccess) throw statusError(response, clock);
  }

  /** Responses arrive on the stream. Some servers return an error about the message itself in the HTTP response. */
  async #readBody(response: HttpResponse, id: MessageId): Promise<void> {
    let text = "";
    const reading = readText(response, LARGEST_REFUSAL).then((body) => {
      text = body;
    });
    await settledWithin(this.#options.clock, BODY_MS, reading);
    if (text === "") response.cancel();
    for (const message of parseMessages(text)) this.#receive(addressed(message, id));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#unused.close();
    this.#end();
  }

  #follow(response: HttpResponse, from: URL, receive: (message: Message) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (error: WireError): void => {
        stopTimer();
        response.cancel();
        this.#end();
        reject(error);
      };
      const stopTimer = this.#options.clock.after(ENDPOINT_MS, () =>
        stop(new WireError({ kind: "notMcp" }, "its event stream sends no endpoint event")),
      );
      const inbox = new Inbox({ receive, onTooComplex: () => stop(tooComplex()) });
      const push = createEventStream({
        limit: LARGEST_EVENT,
        onTooLarge: () => stop(new WireError({ kind: "tooLarge" }, "an event is larger than 16 MB")),
        onEvent: ({ event, data }) => {
          if (event === "message") inbox.accept(data);
          if (event !== "endpoint" || this.#endpoint !== undefined) return;
          const endpoint = URL.canParse(data, from.href) ? new URL(data, from) : undefined;
          // Messages and their headers are sent only to the configured origin.
          if (endpoint === undefined || !isSameOrigin(endpoint, from))
            return stop(
              new WireError({ kind: "notMcp" }, "its endpoint event does not name a URL on the same origin"),
            );
          stopTimer();
          this.#endpoint = endpoint;
          resolve();
        },
      });
      const read = (chunk: Uint8Array): Promise<void> | undefined => {
        push(chunk);
        return inbox.busy;
      };
      response.read(read, () =>
        stop(new WireError({ kind: "streamLost" }, "the event stream ended before the endpoint event")),
      );
    });
  }
}
