import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolProgress,
  truncate,
} from "../../model/index.ts";
import { type Clock, settledWithin } from "../../platform/index.ts";
import type { Channel } from "./channel.ts";
import { type Deadline, Deadlines } from "./deadlines.ts";
import { HangUp } from "./hang-up.ts";
import {
  isMessageId,
  isUnaddressedError,
  LONGEST_PROGRESS,
  type Message,
  type MessageId,
  notification,
  request,
} from "./message.ts";
import { createAllowance } from "./rate-limit.ts";
import { lightError, refusedError } from "./refused-error.ts";
import { Replies } from "./replies.ts";
import { METHOD_NOT_FOUND, RpcRefusal, TOO_MANY } from "./rpc-refusal.ts";
import { UnaddressedErrors } from "./unaddressed-errors.ts";
import { WireError } from "./wire-error.ts";

/** How long closing waits for notices on their way out: over HTTP, closing would take them back. */
const LAST_NOTICE_MS = 500;
/** How many pings of a server are answered in this time. More are dropped: no server needs them, and each answer costs a message. */
const MOST_PINGS = 120;
const PINGS_MS = 60_000;
/** How many questions beyond the limit are refused in this time. More are dropped. */
const MOST_REFUSALS = 60;
const REFUSALS_MS = 60_000;

export interface PeerRequest {
  /** How long the server may stay silent; progress renews it. */
  readonly timeoutMs: number;
  /** The whole time, progress or not. */
  readonly wholeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Closing waits a moment for it to get out, as it does for notices. */
  readonly isLastWord?: boolean;
}

/** Answers a request of the server; rejecting with an `RpcRefusal` refuses it. The signal fires when nobody waits any more. */
export type RequestHandler = (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** One request under way. */
interface Exchange extends Deadline {
  readonly id: number;
  readonly options: PeerRequest;
  readonly startedAt: number;
  /** How many messages had come when its silence began. */
  heardBefore: number;
  /** Calls off the end of the whole time, which is watched once the first silence was outlived. */
  stopWhole: (() => void) | undefined;
  resolve(result: JsonObject): void;
  reject(error: Error): void;
  /** Where the request has a stream of its own, nothing more is read from it. */
  readonly stream: HangUp | undefined;
  readonly onAbort: (() => void) | undefined;
}

/** One end of a JSON-RPC conversation: matches answers to requests, keeps time, cancels, and answers the other end. */
export class Peer {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #pending = new Map<MessageId, Exchange>();
  readonly #deadlines: Deadlines<Exchange>;
  readonly #notices = new Set<Promise<void>>();
  /** Requests of the other end that are being answered. */
  readonly #answering = new Map<MessageId, AbortController>();
  readonly #replies: Replies;
  readonly #unaddressed = new UnaddressedErrors();
  readonly #mayPing: () => boolean;
  readonly #mayRefuse: () => boolean;
  #nextId = 0;
  #closed = false;
  /** Messages that came from the other end. */
  #heard = 0;
  /** Whether cancelling means closing the stream rather than saying so. */
  cancelByClosing = false;
  onNotification: (method: string, params: JsonObject) => void = () => {};
  /** Called for every message. */
  onMessage: () => void = () => {};
  /** Called when handling a message threw. The message is dropped. */
  onHandlerError: (error: unknown) => void = () => {};
  /** Called when a request timed out and no message came while it waited. */
  onSilence: () => void = () => {};
  /** May the other end ask once more? One that asks without end is refused before anything is set up for its question. */
  mayAsk: () => boolean = () => true;
  onRequest: RequestHandler = async (method) => {
    throw new RpcRefusal(METHOD_NOT_FOUND, `Unsupported server request: ${method}`);
  };

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
    this.#replies = new Replies(channel, clock);
    this.#mayPing = createAllowance(clock, MOST_PINGS, PINGS_MS);
    this.#mayRefuse = createAllowance(clock, MOST_REFUSALS, REFUSALS_MS);
    this.#deadlines = new Deadlines(
      clock,
      () => this.#pending.values(),
      (exchange) => this.#runOut(exchange),
    );
  }

  async start(): Promise<void> {
    await this.#channel.start((message) => this.#receiveSafely(message));
    void this.#channel.ended.then(() => this.#end());
  }

  request(method: string, params: JsonObject, options: PeerRequest): Promise<JsonObject> {
    const { signal } = options;
    if (this.#closed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(abortedError());
    this.#nextId += 1;
    const id = this.#nextId;
    return new Promise<JsonObject>((resolve, reject) => {
      const startedAt = this.#deadlines.now();
      const exchange: Exchange = {
        id,
        options,
        startedAt,
        heardBefore: this.#heard,
        dueAt: startedAt + silenceOf(options),
        stopWhole: undefined,
        resolve,
        reject,
        stream: this.#channel.perRequest ? new HangUp() : undefined,
        onAbort: signal && (() => this.#callOff(exchange)),
      };
      this.#pending.set(id, exchange);
      this.#deadlines.watch(exchange);
      if (exchange.onAbort !== undefined) signal?.addEventListener("abort", exchange.onAbort, { once: true });
      const framed = options.onProgress === undefined ? params : withProgressToken(params, id);
      try {
        this.#send(request(id, method, framed), exchange);
      } catch (error) {
        this.#settle(exchange);
        throw error; // arguments that no JSON can say, for one
      }
    });
  }

  #send(message: Message, exchange: Exchange): void {
    const { stream, options } = exchange;
    if (this.#channel.post !== undefined && !options.isLastWord) {
      this.#channel.post(message);
      return;
    }
    const sent = this.#channel.send(message, { signal: stream, headers: options.headers });
    if (options.isLastWord) this.#keep(sent).catch(() => {});
    sent.then(
      () => {
        if (this.#channel.perRequest && this.#settle(exchange))
          exchange.reject(new WireError({ kind: "streamLost" }, "the stream ended without an answer"));
      },
      (error: unknown) => {
        if (this.#settle(exchange)) exchange.reject(error as Error);
      },
    );
  }

  /** What becomes of a request is decided once; answers whether that is now. */
  #settle({ id, options, onAbort, stopWhole }: Exchange): boolean {
    if (!this.#pending.delete(id)) return false;
    stopWhole?.();
    if (onAbort !== undefined) options.signal?.removeEventListener("abort", onAbort);
    return true;
  }

  /** Somebody is there: the silence begins anew. The whole time matters only to those that outlive their first one. */
  #goOn(exchange: Exchange): void {
    const { options, startedAt } = exchange;
    const { wholeMs } = options;
    const now = this.#deadlines.now();
    exchange.dueAt = now + silenceOf(options);
    exchange.heardBefore = this.#heard;
    this.#deadlines.watch(exchange);
    if (wholeMs === undefined || !Number.isFinite(wholeMs)) return;
    exchange.stopWhole ??= this.#clock.after(wholeMs - Math.max(0, now - startedAt), () =>
      this.#giveUp(exchange, tooLongError(wholeMs)),
    );
  }

  #runOut(exchange: Exchange): void {
    // A server that waits for a person's answer has every reason to be silent.
    if (this.#answering.size > 0) this.#goOn(exchange);
    else {
      this.#giveUp(exchange, timeoutError(silenceOf(exchange.options)));
      this.#noteSilence(exchange);
    }
  }

  /** The caller cancelled. A limit of the caller's own (`AbortSignal.timeout`) is a timeout like any other. */
  #callOff(exchange: Exchange): void {
    this.#giveUp(exchange, abortedError());
    const reason: unknown = exchange.options.signal?.reason;
    if (reason instanceof Error && reason.name === "TimeoutError") this.#noteSilence(exchange);
  }

  #noteSilence({ heardBefore }: Exchange): void {
    const waitsForUs = this.#answering.size > 0;
    if (heardBefore === this.#heard && !waitsForUs && !this.#closed) this.onSilence();
  }

  #giveUp(exchange: Exchange, error: Error): void {
    if (!this.#settle(exchange)) return;
    exchange.reject(error);
    this.#cancel(exchange, error.message);
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    this.#unaddressed.sentNotice(this.#nextId);
    await this.#keep(this.#channel.send(notification(method, params)));
  }

  #keep(sent: Promise<void>): Promise<void> {
    const kept = sent.finally(() => this.#notices.delete(kept));
    this.#notices.add(kept);
    return kept;
  }

  /** What was already said, such as that a call is cancelled, is given a moment to get out. */
  async close(): Promise<void> {
    this.#end();
    if (this.#notices.size > 0)
      await settledWithin(this.#clock, LAST_NOTICE_MS, Promise.allSettled(this.#notices));
    await this.#channel.close();
  }

  /** Tells the server to stop, by the means the two ends share. */
  #cancel({ id, stream }: Exchange, reason: string): void {
    if (!this.cancelByClosing) {
      void this.notify("notifications/cancelled", { requestId: id, reason }).catch(() => {});
    }
    stream?.abort();
  }

  #end(): void {
    this.#closed = true;
    this.#deadlines.stop();
    for (const exchange of this.#pending.values()) {
      this.#settle(exchange);
      exchange.reject(closedError());
      exchange.stream?.abort();
    }
    for (const abort of this.#answering.values()) abort.abort();
    this.#replies.stop();
  }

  /** Called from events of streams: what is thrown there ends the process. */
  #receiveSafely(message: Message): void {
    try {
      this.#receive(message);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Reporting an error must not throw either: a log may be the program's own. */
  #report(error: unknown): void {
    try {
      this.onHandlerError(error);
    } catch {
      // There is no other place to report it to.
    }
  }

  #receive(message: Message): void {
    const { id, method } = message;
    this.#heard += 1;
    this.onMessage();
    if (typeof method === "string") {
      const params = isJsonObject(message["params"]) ? message["params"] : {};
      if (isMessageId(id)) this.#answer(id, method, params).catch((error: unknown) => this.#report(error));
      else if (typeof id !== "string") this.#hear(method, params);
      return;
    }
    const { error, result } = message;
    const exchange = this.#pendingFor(id);
    if (exchange !== undefined) {
      this.#settle(exchange);
      this.#unaddressed.answered(exchange.id);
      if (isJsonObject(error)) exchange.reject(refusedError(error));
      else if (isJsonObject(result)) exchange.resolve(result);
      else
        exchange.reject(new WireError({ kind: "notMcp" }, "the answer holds neither a result nor an error"));
    } else if (isUnaddressedError(message) && !this.#channel.perRequest)
      this.#unaddressed.add({ ...message, error: lightError(message.error) }, this.#nextId);
    if (!this.#unaddressed.isEmpty) this.#failUnaddressed();
  }

  /** Fails the requests that an error without an id can only be meant for. */
  #failUnaddressed(): void {
    for (const [exchange, { error }] of this.#unaddressed.take(this.#pending.values()))
      if (this.#settle(exchange)) exchange.reject(refusedError(error));
  }

  /** Some servers answer the number we sent as text. */
  #pendingFor(id: JsonValue | undefined): Exchange | undefined {
    return isMessageId(id) ? (this.#pending.get(id) ?? this.#pending.get(Number(id))) : undefined;
  }

  #hear(method: string, params: JsonObject): void {
    if (method === "notifications/cancelled") {
      const { requestId } = params;
      if (isMessageId(requestId)) this.#answering.get(requestId)?.abort();
      return;
    }
    if (method === "notifications/progress") {
      const { progressToken, progress, total, message } = params;
      if (typeof progress !== "number") return;
      const exchange = this.#pendingFor(progressToken);
      if (exchange === undefined) return;
      this.#goOn(exchange);
      exchange.options.onProgress?.({
        progress,
        ...(typeof total === "number" && { total }),
        ...(typeof message === "string" && { message: truncate(message, LONGEST_PROGRESS) }),
      });
      return;
    }
    this.onNotification(method, params);
  }

  async #answer(id: MessageId, method: string, params: JsonObject): Promise<void> {
    if (method === "ping") {
      if (this.#mayPing()) this.#reply({ jsonrpc: "2.0", id, result: {} });
      return;
    }
    if (!this.mayAsk()) {
      // A server that asks too often gets an error as long as it takes the replies, up to a limit.
      if (this.#replies.hasRoom && this.#mayRefuse()) this.#reply(refusalOf(id, TOO_MANY));
      return;
    }
    let reply: Message;
    const abort = new AbortController();
    this.#answering.set(id, abort);
    try {
      reply = { jsonrpc: "2.0", id, result: await this.onRequest(method, params, abort.signal) };
    } catch (error) {
      reply = refusalOf(id, error);
    } finally {
      this.#answering.delete(id);
    }
    if (!abort.signal.aborted) this.#reply(reply); // else it takes its request back, or is gone
  }

  #reply(reply: Message): void {
    this.#unaddressed.sentNotice(this.#nextId);
    this.#replies.send(reply);
  }
}

function refusalOf(id: MessageId, error: unknown): Message {
  const code = error instanceof RpcRefusal ? error.code : -32603;
  return {
    jsonrpc: "2.0",
    id,
    error: { code, message: error instanceof Error ? error.message : String(error) },
  };
}

/** How long the server may stay silent. */
function silenceOf({ timeoutMs, wholeMs = timeoutMs }: PeerRequest): number {
  return Math.min(timeoutMs, wholeMs);
}

/** Most requests have no `_meta` of their own; put first, it does not make the copy a slow kind of object. */
function withProgressToken(params: JsonObject, id: MessageId): JsonObject {
  const { _meta: meta } = params;
  return isJsonObject(meta)
    ? { ...params, _meta: { ...meta, progressToken: id } }
    : { _meta: { progressToken: id }, ...params };
}

function closedError(): WireError {
  return new WireError({ kind: "closed" }, "the connection ended");
}

function abortedError(): WireError {
  return new WireError({ kind: "aborted" }, "the caller cancelled the request");
}

function tooLongError(wholeMs: number): WireError {
  return new WireError({ kind: "timeout", wholeMs }, `not done within ${wholeMs} ms`);
}

function timeoutError(ms: number): WireError {
  return new WireError({ kind: "timeout" }, `no answer within ${ms} ms`);
}
