import { type InProcessSource, type McpTransport, messageOf } from "../../model/index.ts";
import type { Log } from "../../platform/index.ts";
import { LONGEST_LINE } from "../line-framer.ts";
import type { Channel } from "../wire/channel.ts";
import { Inbox } from "../wire/inbox.ts";
import type { Message, MessageId } from "../wire/message.ts";
import { serialize } from "../wire/serialize.ts";
import { WireError } from "../wire/wire-error.ts";
import { openTransport } from "./open-transport.ts";

const TOO_LARGE = `the server's response is larger than ${LONGEST_LINE / 1024 / 1024} MB`;

/**
 * Exchanges messages with a server or transport object of this program. Every message is converted to JSON and back: neither
 * side can then change the other's objects, and values that are not JSON behave as with every other server.
 */
export class InProcessChannel implements Channel {
  readonly transport = "in-process";
  readonly perRequest = false;
  readonly ended: Promise<void>;

  readonly #source: InProcessSource;
  readonly #log: Log;
  #markEnded: () => void = () => {};
  #transport: McpTransport | undefined;
  #isClosed = false;

  constructor(source: InProcessSource, log: Log) {
    this.#source = source;
    this.#log = log;
    this.ended = new Promise((resolve) => {
      this.#markEnded = resolve;
    });
  }

  async start(receive: (message: Message) => void): Promise<void> {
    const { transport, connect } = await openTransport(this.#source);
    this.#transport = transport;
    const inbox = new Inbox({ receive, onError: (error) => this.#report(error) });
    transport.onmessage = (message) => this.#accept(message, inbox, receive);
    transport.onclose = () => this.#end();
    transport.onerror = (error) => this.#report(error);
    if (!this.#isClosed) await connect();
    if (!this.#isClosed) return;
    await transport.close().catch(() => {});
    throw closed();
  }

  async send(message: Message): Promise<void> {
    const copy: object = JSON.parse(serialize(message));
    if (this.#transport === undefined || this.#isClosed) throw closed();
    try {
      await this.#transport.send(copy);
    } catch (error) {
      throw closed(error);
    }
  }

  async close(): Promise<void> {
    const isFirst = !this.#isClosed;
    this.#end();
    if (isFirst) await this.#transport?.close().catch((error: unknown) => this.#report(error));
  }

  #end(): void {
    this.#isClosed = true;
    this.#markEnded();
  }

  #accept(message: unknown, inbox: Inbox, receive: (message: Message) => void): void {
    if (this.#isClosed) return;
    try {
      const text = JSON.stringify(message) ?? "";
      if (text.length <= LONGEST_LINE) inbox.accept(text);
      else refuse(message, TOO_LARGE, receive);
    } catch (error) {
      refuse(message, `the server's response is not valid JSON: ${messageOf(error)}`, receive);
    }
  }

  #report(error: unknown): void {
    try {
      this.#log.log("error", "message.failed", { error: messageOf(error) });
    } catch {
      // The log itself failed.
    }
  }
}

/** Fails only the request that a message answers. The connection stays open. */
function refuse(message: unknown, why: string, receive: (message: Message) => void): void {
  if (typeof message !== "object" || message === null) return;
  const id = "id" in message && !("method" in message) ? message.id : undefined;
  if (typeof id === "string" || typeof id === "number")
    receive({ jsonrpc: "2.0", id: id satisfies MessageId, error: { code: -32603, message: why } });
}

function closed(cause?: unknown): WireError {
  const message =
    cause === undefined ? "the connection is closed" : `its transport failed: ${messageOf(cause)}`;
  return new WireError({ kind: "closed" }, message, { cause });
}
