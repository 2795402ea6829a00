import type { Era } from "../model/index.ts";
import type { LocalSocket } from "../platform/index.ts";
import type { Channel, Receive } from "./wire/channel.ts";
import { Inbox } from "./wire/inbox.ts";
import type { Message } from "./wire/message.ts";
import { serialize } from "./wire/serialize.ts";

/** A server that another process of the user runs, and that this process may use. */
export interface BorrowedServer {
  readonly socket: LocalSocket;
  /** The era of the open connection. */
  readonly era: Era;
}

/** Exchanges messages with a server that the daemon runs. Closing it does not end the server. */
export class BorrowedChannel implements Channel {
  readonly transport = "stdio";
  readonly perRequest = false;
  readonly ended: Promise<void>;

  readonly #socket: LocalSocket;

  constructor(socket: LocalSocket) {
    this.#socket = socket;
    this.ended = socket.ended;
  }

  start(receive: Receive): Promise<void> {
    const inbox = new Inbox({ receive: (message) => receive(message) });
    this.#socket.onLine((line) => inbox.accept(line));
    return Promise.resolve();
  }

  send(message: Message): Promise<void> {
    this.#socket.send(serialize(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#socket.close();
    return this.ended;
  }
}
