import type { Http, HttpResponse } from "../../platform/index.ts";
import type { Channel, SendOptions } from "../wire/channel.ts";
import { type Message, messagesIn } from "../wire/message.ts";
import { WireError } from "../wire/wire-error.ts";
import { createEventStream } from "./event-stream.ts";
import { exchange, statusError } from "./exchange.ts";

const LARGEST_EVENT = 16 * 1024 * 1024;

export interface SseChannelOptions {
  readonly http: Http;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** HTTP with server-sent events, as of 2024-11-05: one stream brings everything, messages are posted beside it. */
export class SseChannel implements Channel {
  readonly transport = "sse";
  readonly perRequest = false;
  readonly ended: Promise<void>;

  readonly #options: SseChannelOptions;
  readonly #closing = new AbortController();
  #end: () => void = () => {};
  #endpoint: URL | undefined;
  #version: string | undefined;

  constructor(options: SseChannelOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Resolves when the server has said where messages go. */
  async start(receive: (message: Message) => void): Promise<void> {
    const { http, url, headers } = this.#options;
    const signal = this.#closing.signal;
    const response = await exchange(http, {
      url,
      method: "GET",
      headers: { ...headers, accept: "text/event-stream" },
      signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !type.startsWith("text/event-stream")) {
      response.cancel();
      if (response.status !== 200) throw statusError(response);
      throw new WireError({ kind: "notMcp" }, `it answered with ${type || "no content type"}`);
    }
    await this.#follow(response, receive);
  }

  negotiated({ version }: { version: string }): void {
    this.#version = version;
  }

  async send(message: Message, { signal }: SendOptions = {}): Promise<void> {
    if (this.#endpoint === undefined) throw new WireError({ kind: "closed" }, "the stream is not open");
    const { http, headers } = this.#options;
    const response = await exchange(http, {
      url: this.#endpoint,
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        ...(this.#version !== undefined && { "mcp-protocol-version": this.#version }),
      },
      body: JSON.stringify(message),
      signal: signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]),
    });
    response.read(
      () => {},
      () => {},
    );
    if (response.status < 200 || response.status >= 300) throw statusError(response);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#end();
  }

  #follow(response: HttpResponse, receive: (message: Message) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const push = createEventStream({
        limit: LARGEST_EVENT,
        onTooLarge: () => response.cancel(),
        onEvent: ({ event, data }) => {
          if (event === "endpoint") {
            const wrong = this.#accept(data);
            if (wrong === undefined) resolve();
            else {
              response.cancel();
              reject(wrong);
            }
            return;
          }
          if (event !== "message") return;
          try {
            for (const message of messagesIn(JSON.parse(data)).messages) receive(message);
          } catch {
            /* not JSON: the next event may be */
          }
        },
      });
      response.read(push, () => {
        this.#end();
        reject(new WireError({ kind: "streamLost" }, "the stream ended before it said where messages go"));
      });
    });
  }

  /** Messages, and the headers with them, go to the origin that was configured and nowhere else. */
  #accept(text: string): WireError | undefined {
    const { url } = this.#options;
    const endpoint = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
    if (endpoint?.origin !== url.origin) {
      return new WireError({ kind: "notMcp" }, "it wants messages sent to another place");
    }
    this.#endpoint = endpoint;
    return undefined;
  }
}
