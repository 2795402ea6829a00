import type { Channel } from "../../src/connection/wire/channel.ts";
import type { Message } from "../../src/connection/wire/message.ts";
import { WireError } from "../../src/connection/wire/wire-error.ts";

/** A channel whose other end is the test. */
export interface FakeChannel extends Channel {
  /** Everything that was sent. */
  readonly sent: Message[];
  /** What the other end says. */
  say(message: object): void;
  /** Ends the stream of the request that was sent last, with an HTTP status where one is given. */
  drop(status?: number): void;
  end(): void;
}

export function createFakeChannel({
  perRequest = false,
}: {
  readonly perRequest?: boolean;
} = {}): FakeChannel {
  const sent: Message[] = [];
  let receive: (message: Message) => void = () => {};
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
    say: (message) => receive({ jsonrpc: "2.0", ...message }),
    drop: (status) => drop(status),
    end: () => end(),
    async close() {
      end();
    },
  };
}
