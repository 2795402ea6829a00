import type { Channel, Receive } from "../../src/connection/wire/channel.ts";
import type { Message, MessageId } from "../../src/connection/wire/message.ts";
import { WireError } from "../../src/connection/wire/wire-error.ts";

/** A channel whose other end is controlled by the test. */
export interface FakeChannel extends Channel {
  /** Everything that was sent. */
  readonly sent: Message[];
  /** Sends a message from the other end, on the stream of a request if one is given. */
  say(message: object, stream?: MessageId): void;
  /** Ends the stream of the last request, optionally with an HTTP status. */
  drop(status?: number): void;
  end(): void;
}

export function createFakeChannel({
  perRequest = false,
}: {
  readonly perRequest?: boolean;
} = {}): FakeChannel {
  const sent: Message[] = [];
  let receive: Receive = () => {};
  let drop: FakeChannel["drop"] = () => {};
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    transport: perRequest ? "http" : "stdio",
    perRequest,
    sent,
    ended,
    async start(receiver) {
      receive = receiver;
    },
    send(message) {
      sent.push(message);
      if (!perRequest || message["id"] === undefined) return Promise.resolve();
      return new Promise((resolve, reject) => {
        drop = (status) =>
          status === undefined
            ? resolve()
            : reject(new WireError({ kind: "status", status }, `HTTP ${status}`));
      });
    },
    say: (message, stream) => receive({ jsonrpc: "2.0", ...message }, stream),
    drop: (status) => drop(status),
    end: () => end(),
    async close() {
      end();
    },
  };
}
