import type { Cancellation } from "../../platform/index.ts";
import type { Message } from "./message.ts";

export interface SendOptions {
  /** Ends the exchange: over HTTP the stream is closed, which cancels the request there. */
  readonly signal?: Cancellation | undefined;
  /** Headers for this request alone, where the channel has headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A way to exchange messages with one server. */
export interface Channel {
  readonly transport: "stdio" | "http" | "sse";
  /** Every request has a stream of its own: its end without an answer is final, and closing it cancels. */
  readonly perRequest: boolean;
  /** Resolves once messages can be sent; rejects with `WireError`. */
  start(receive: (message: Message) => void): Promise<void>;
  /** Resolves when the message is out; where requests have streams of their own, when the exchange is over. */
  send(message: Message, options?: SendOptions): Promise<void>;
  /** Sends a message that nobody watches the way of, where a failure to send ends the whole conversation. */
  post?(message: Message): void;
  /** Told what the two ends agreed on. */
  negotiated?(facts: { readonly version: string; readonly modern: boolean; readonly pushes: boolean }): void;
  /** Resolves when nothing more can come. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}
