import {
  isJsonObject,
  isTimeoutReason,
  type JsonObject,
  type JsonValue,
  type ToolProgress,
} from "../../model/index.ts";
import { type Clock, onAbort, settledWithin } from "../../platform/index.ts";
import type { NotificationListener } from "../connection.ts";
import { Canceller } from "./canceller.ts";
import type { Channel } from "./channel.ts";
import { type Deadline, Deadlines, silenceOf } from "./deadlines.ts";
import {
  isMessageId,
  isUnaddressedError,
  type Message,
  type MessageId,
  notification,
  progressIn,
  request,
  withMeta,
} from "./message.ts";
import { createRateLimit } from "./rate-limit.ts";
import { toRefusedError, trimmedError } from "./refused-error.ts";
import { Replies } from "./replies.ts";
import { failureOfError, failureOfResult, type RequestObserver } from "./request-observer.ts";
import { METHOD_NOT_FOUND, RpcRefusal, TOO_MANY, toRpcError } from "./rpc-refusal.ts";
import { UnaddressedErrors } from "./unaddressed-errors.ts";
import { abortedError, closedError, timeoutError, tooLongError, WireError } from "./wire-error.ts";

/** How long closing waits for notifications that are being sent. Over HTTP, closing would cancel them. */
const CLOSE_WAIT_MS = 500;
/** How many pings of a server are answered within `PINGS_MS`. The rest are dropped. */
const MOST_PINGS = 120;
const PINGS_MS = 60_000;
/** How many questions beyond the limit are refused in this time. More are dropped. */
const MOST_REFUSALS = 60;
const REFUSALS_MS = 60_000;

export interface PeerRequest {
  /** How long to wait for a response. Progress restarts the timeout. */
  readonly timeoutMs: number;
  /** The total time limit, regardless of progress. */
  readonly wholeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ToolProgress, raw?: JsonObject) => void) | undefined;
  /** Passed on with server requests and notifications that arrive on this request's stream. */
  readonly origin?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Closing waits until it is sent, as it does for notifications. */
  readonly isLastWord?: boolean;
}

/** Answers a server's request, or rejects with an `RpcRefusal`. `origin` is that of the request on whose stream it arrived. */
export type RequestHandler = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
  origin?: object,
) => Promise<JsonObject>;

/** One pending request. */
interface Exchange extends Deadline {
  readonly id: number;
  readonly options: PeerRequest;
  readonly startedAt: number;
  /** The number of received messages when its timeout started. */
  heardBefore: number;
  /** Stops the timer of the total time limit. The timer starts with the first progress. */
  stopWhole: (() => void) | undefined;
  resolve(result: JsonObject): void;
  reject(error: Error): void;
  /** Cancels the request's own stream, if it has one. */
  readonly stream: Canceller | undefined;
  /** Stops listening to the caller's signal. */
  stopListening: (() => void) | undefined;
}

/** One side of a JSON-RPC connection: matches responses to requests, enforces timeouts, cancels, and answers requests. */
export class Peer {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #pending = new Map<MessageId, Exchange>();
  readonly #deadlines: Deadlines<Exchange>;
  readonly #notices = new Set<Promise<void>>();
  /** The server's requests that are being answered. */
  readonly #answering = new Map<MessageId, AbortController>();
  readonly #replies: Replies;
  readonly #unaddressed = new UnaddressedErrors();
  readonly #mayPing: () => boolean;
  readonly #mayRefuse: () => boolean;
  #nextId = 0;
  #closed = false;
  /** The number of received messages. */
  #heard = 0;
  /** Whether to cancel a request by closing its stream instead of sending a notification. */
  cancelByClosing = false;
  /** The negotiated protocol version. */
  version: string | undefined;
  /** Follows every request, for traces and logs. */
  observe: RequestObserver | undefined;
  onNotification: NotificationListener = () => {};
  /** Called for every received message. */
  onMessage: () => void = () => {};
  /** Called when handling a message throws. The message is dropped. */
  onHandlerError: (error: unknown) => void = () => {};
  /** Called when a request timed out and no message arrived in the meantime. */
  onSilence: () => void = () => {};
  /** Returns whether the server may send another request. Checked before any work is done for the request. */
  mayAsk: () => boolean = () => true;
  onRequest: RequestHandler = async (method) => {
    throw new RpcRefusal(METHOD_NOT_FOUND, `Unsupported server request: ${method}`);
  };

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
    this.#replies = new Replies(channel, clock);
    this.#mayPing = createRateLimit(clock, MOST_PINGS, PINGS_MS);
    this.#mayRefuse = createRateLimit(clock, MOST_REFUSALS, REFUSALS_MS);
    this.#deadlines = new Deadlines(
      clock,
      () => this.#pending.values(),
      (exchange) => this.#runOut(exchange),
    );
  }

  async start(): Promise<void> {
    await this.#channel.start((message, stream) => this.#receiveSafely(message, stream));
    void this.#channel.ended.then(() => this.#end());
  }

  request(method: string, params: JsonObject, options: PeerRequest): Promise<JsonObject> {
    const { signal } = options;
    if (this.#closed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(abortedError());
    this.#nextId += 1;
    const id = this.#nextId;
    const observed = this.observe?.({ id, method, params, version: this.version });
    if (observed === undefined) return this.#exchange(id, method, params, options);
    const { context, within = (send) => send() } = observed;
    const framed = context === undefined ? params : withMeta(params, context);
    const headers = { ...options.headers, ...context };
    const answer = within(() => this.#exchange(id, method, framed, { ...options, headers }));
    void answer.then(
      (result) => observed.ended(failureOfResult(method, result)),
      (error: unknown) => observed.ended(failureOfError(error, options.signal)),
    );
    return answer;
  }

  #exchange(id: number, method: string, params: JsonObject, options: PeerRequest): Promise<JsonObject> {
    const { signal } = options;
    let resolve!: Exchange["resolve"];
    let reject!: Exchange["reject"];
    const answer = new Promise<JsonObject>((onResult, onError) => {
      resolve = onResult;
      reject = onError;
    });
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
      stream: this.#channel.perRequest ? new Canceller() : undefined,
      stopListening: undefined,
    };
    this.#pending.set(id, exchange);
    this.#deadlines.watch(exchange);
    if (signal !== undefined) exchange.stopListening = onAbort(signal, () => this.#callOff(exchange));
    const framed = options.onProgress === undefined ? params : withMeta(params, { progressToken: id });
    try {
      this.#send(request(id, method, framed), exchange);
    } catch (error) {
      this.#settle(exchange);
      reject(error as Error); // for example, arguments that cannot be serialized
    }
    return answer;
  }

  #send(message: Message, exchange: Exchange): void {
    const { stream, options } = exchange;
    if (this.#channel.post !== undefined && !options.isLastWord) {
      this.#channel.post(message, this.#pending.size === 1);
      return;
    }
    const sent = this.#channel.send(message, { signal: stream, headers: options.headers });
    if (options.isLastWord) this.#keep(sent).catch(() => {});
    sent.then(
      () => {
        if (this.#channel.perRequest && this.#settle(exchange))
          exchange.reject(new WireError({ kind: "streamLost" }, "the stream ended without a response"));
      },
      (error: unknown) => {
        if (this.#settle(exchange)) exchange.reject(error as Error);
      },
    );
  }

  /** Removes a pending request. Returns `false` if it was already settled. */
  #settle({ id, stopListening, stopWhole }: Exchange): boolean {
    if (!this.#pending.delete(id)) return false;
    stopWhole?.();
    stopListening?.();
    return true;
  }

  /** Restarts the timeout, and starts the timer of the total time limit if it is not running. */
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
    // A server that waits for the user's answer cannot respond yet.
    if (this.#answering.size > 0) this.#goOn(exchange);
    else {
      this.#giveUp(exchange, timeoutError(silenceOf(exchange.options)));
      this.#noteSilence(exchange);
    }
  }

  /** Handles a cancellation by the caller. `AbortSignal.timeout` counts as a timeout. */
  #callOff(exchange: Exchange): void {
    this.#giveUp(exchange, abortedError());
    if (isTimeoutReason(exchange.options.signal?.reason)) this.#noteSilence(exchange);
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

  /** Waits a moment for pending notifications, such as a cancellation. */
  async close(): Promise<void> {
    this.#end();
    if (this.#notices.size > 0)
      await settledWithin(this.#clock, CLOSE_WAIT_MS, Promise.allSettled(this.#notices));
    await this.#channel.close();
  }

  /** Cancels a request on the server, with a notification or by closing its stream. */
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

  /** Called from stream events, where a thrown error would end the process. */
  #receiveSafely(message: Message, stream: MessageId | undefined): void {
    try {
      this.#receive(message, stream);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Reporting must not throw either: the log may be the calling program's own. */
  #report(error: unknown): void {
    try {
      this.onHandlerError(error);
    } catch {
      // The error handler itself failed.
    }
  }

  #receive(message: Message, stream: MessageId | undefined): void {
    const { id, method } = message;
    this.#heard += 1;
    this.onMessage();
    if (typeof method === "string") {
      const params = isJsonObject(message["params"]) ? message["params"] : {};
      const origin = stream === undefined ? undefined : this.#pending.get(stream)?.options.origin;
      if (isMessageId(id))
        this.#answer(id, method, params, origin).catch((error: unknown) => this.#report(error));
      else if (typeof id !== "string") this.#hear(method, params, origin);
      return;
    }
    const { error, result } = message;
    const exchange = this.#pendingFor(id);
    if (exchange !== undefined) {
      this.#settle(exchange);
      this.#unaddressed.answered(exchange.id);
      if (isJsonObject(error)) exchange.reject(toRefusedError(error));
      else if (isJsonObject(result)) exchange.resolve(result);
      else
        exchange.reject(
          new WireError({ kind: "notMcp" }, "the response contains neither a result nor an error"),
        );
    } else if (isUnaddressedError(message) && !this.#channel.perRequest)
      this.#unaddressed.add({ ...message, error: trimmedError(message.error) }, this.#nextId);
    if (!this.#unaddressed.isEmpty) this.#failUnaddressed();
  }

  /** Fails the requests that errors without an ID must belong to. */
  #failUnaddressed(): void {
    for (const [exchange, { error }] of this.#unaddressed.take(this.#pending.values()))
      if (this.#settle(exchange)) exchange.reject(toRefusedError(error));
  }

  /** Some servers return the numeric ID as a string. */
  #pendingFor(id: JsonValue | undefined): Exchange | undefined {
    return isMessageId(id) ? (this.#pending.get(id) ?? this.#pending.get(Number(id))) : undefined;
  }

  #hear(method: string, params: JsonObject, origin: object | undefined): void {
    if (method === "notifications/cancelled") {
      const { requestId } = params;
      if (isMessageId(requestId)) this.#answering.get(requestId)?.abort();
      return;
    }
    if (method === "notifications/progress") {
      const step = progressIn(params);
      const exchange = this.#pendingFor(params["progressToken"]);
      if (step === undefined || exchange === undefined) return;
      this.#goOn(exchange);
      exchange.options.onProgress?.(step, params);
      return;
    }
    this.onNotification(method, params, origin);
  }

  async #answer(
    id: MessageId,
    method: string,
    params: JsonObject,
    origin: object | undefined,
  ): Promise<void> {
    if (method === "ping") {
      if (this.#mayPing()) this.#reply({ jsonrpc: "2.0", id, result: {} });
      return;
    }
    if (!this.mayAsk()) {
      // A server that sends too many requests gets errors as long as it accepts the replies, up to a limit.
      if (this.#replies.hasRoom && this.#mayRefuse())
        this.#reply({ jsonrpc: "2.0", id, error: toRpcError(TOO_MANY) });
      return;
    }
    let reply: Message;
    const abort = new AbortController();
    this.#answering.set(id, abort);
    try {
      reply = { jsonrpc: "2.0", id, result: await this.onRequest(method, params, abort.signal, origin) };
    } catch (error) {
      reply = { jsonrpc: "2.0", id, error: toRpcError(error) };
    } finally {
      this.#answering.delete(id);
    }
    if (!abort.signal.aborted) this.#reply(reply); // otherwise the server cancelled the request or disconnected
  }

  #reply(reply: Message): void {
    this.#unaddressed.sentNotice(this.#nextId);
    this.#replies.send(reply);
  }
}
