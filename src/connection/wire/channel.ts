import type { Cancellation } from "../../platform/index.ts";
import type { Message, MessageId } from "./message.ts";

export interface SendOptions {
  /** Cancels the exchange. Over HTTP this closes the stream, which cancels the request on the server. */
  readonly signal?: Cancellation | undefined;
  /** Additional headers for this request, if the channel supports headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Takes a message from the server. `stream` is the request on whose own stream it arrived, if the transport has such streams. */
export type Receive = (message: Message, stream?: MessageId) => void;

/** Exchanges messages with one server. */
export interface Channel {
  readonly transport: "stdio" | "http" | "sse" | "in-process";
  /** Every request has its own stream. If the stream ends without a response, none will come; closing it cancels the request. */
  readonly perRequest: boolean;
  /** The id of the current session, if the transport has sessions. */
  readonly session?: string | undefined;
  /** Resolves when messages can be sent. Rejects with a `WireError`. */
  start(receive: Receive): Promise<void>;
  /** Resolves when the message was sent or, if `perRequest` is set, when the exchange has ended. */
  send(message: Message, options?: SendOptions): Promise<void>;
  /**
   * Sends a message without waiting. Set if a failure to send ends the whole connection. `isAlone` says that no other request is
   * pending, so that waiting for more messages would only cost time.
   */
  post?(message: Message, isAlone: boolean): void;
  /** Called with the result of the handshake. */
  negotiated?(facts: { readonly version: string; readonly modern: boolean; readonly pushes: boolean }): void;
  /** Resolves when no more messages can arrive. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}
