import { isJsonObject, type JsonObject, type JsonValue, type ToolProgress } from "../../model/index.ts";
import { type Clock, settledWithin } from "../../platform/index.ts";
import type { Channel } from "./channel.ts";
import { HangUp } from "./hang-up.ts";
import { type Message, type MessageId, notification, request } from "./message.ts";
import { METHOD_NOT_FOUND, RpcRefusal } from "./rpc-refusal.ts";
import { WireError } from "./wire-error.ts";

/** How long closing waits for notices on their way out: over HTTP, closing would take them back. */
const LAST_NOTICE_MS = 500;

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

interface Pending {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
  /** Where the request has a stream of its own, nothing more is read from it. */
  hangUp(): void;
  progress(progress: ToolProgress): void;
}

/** One end of a JSON-RPC conversation: matches answers to requests, keeps time, cancels, and answers the other end. */
export class Peer {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #pending = new Map<MessageId, Pending>();
  readonly #notices = new Set<Promise<void>>();
  /** Requests of the other end that are being answered. */
  readonly #answering = new Map<MessageId, AbortController>();
  #nextId = 0;
  #closed = false;
  /** Whether cancelling means closing the stream rather than saying so. */
  cancelByClosing = false;
  onNotification: (method: string, params: JsonObject) => void = () => {};
  onRequest: RequestHandler = async (method) => {
    throw new RpcRefusal(METHOD_NOT_FOUND, `Unsupported server request: ${method}`);
  };

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    await this.#channel.start((message) => this.#receive(message));
    void this.#channel.ended.then(() => this.#end());
  }

  request(method: string, params: JsonObject, options: PeerRequest): Promise<JsonObject> {
    const { timeoutMs, wholeMs = Number.POSITIVE_INFINITY, signal, onProgress, headers } = options;
    if (this.#closed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(abortedError());
    this.#nextId += 1;
    const id = this.#nextId;
    const exchange = new HangUp();
    return new Promise<JsonObject>((resolve, reject) => {
      const silence = Math.min(timeoutMs, wholeMs);
      let stopWhole: (() => void) | undefined;
      let stopTimer = (): void => {};
      const renew = (): void => {
        stopTimer();
        stopTimer = this.#clock.after(silence, () => {
          // A server that waits for a person's answer has every reason to be silent.
          if (this.#answering.size > 0) goOn();
          else giveUp(timeoutError(silence));
        });
      };
      const startedAt = this.#clock.now();
      /** The whole time matters only to those that outlive their first silence. */
      const goOn = (): void => {
        const left = wholeMs - Math.max(0, this.#clock.now() - startedAt);
        if (Number.isFinite(wholeMs))
          stopWhole ??= this.#clock.after(left, () => giveUp(tooLongError(wholeMs)));
        renew();
      };
      const onAbort = (): void => giveUp(abortedError());
      const settle = (): void => {
        this.#pending.delete(id);
        stopTimer();
        stopWhole?.();
        signal?.removeEventListener("abort", onAbort);
      };
      const fail = (error: Error): void => {
        if (!this.#pending.has(id)) return;
        settle();
        reject(error);
      };
      const giveUp = (error: Error): void => {
        if (!this.#pending.has(id)) return;
        fail(error);
        this.#cancel(id, error.message, exchange);
      };
      this.#pending.set(id, {
        resolve(result) {
          settle();
          resolve(result);
        },
        reject: fail,
        hangUp: () => exchange.abort(),
        progress: (progress) => {
          goOn();
          onProgress?.(progress);
        },
      });
      renew();
      signal?.addEventListener("abort", onAbort, { once: true });
      const framed = onProgress === undefined ? params : withProgressToken(params, id);
      const sent = this.#channel.send(request(id, method, framed), { signal: exchange, headers });
      if (options.isLastWord) this.#keep(sent).catch(() => {});
      sent.then(
        () => {
          if (this.#channel.perRequest && this.#pending.has(id))
            fail(new WireError({ kind: "streamLost" }, "the stream ended without an answer"));
        },
        (error: unknown) => fail(error as Error),
      );
    });
  }

  async notify(method: string, params: JsonObject): Promise<void> {
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
  #cancel(id: MessageId, reason: string, exchange: HangUp): void {
    if (!this.cancelByClosing) {
      void this.notify("notifications/cancelled", { requestId: id, reason }).catch(() => {});
    }
    if (this.#channel.perRequest) exchange.abort();
  }

  #end(): void {
    this.#closed = true;
    for (const pending of this.#pending.values()) {
      pending.reject(closedError());
      pending.hangUp();
    }
    this.#pending.clear();
    for (const abort of this.#answering.values()) abort.abort();
  }

  #receive(message: Message): void {
    const { id, method } = message;
    if (typeof method === "string") {
      const params = isJsonObject(message["params"]) ? message["params"] : {};
      if (isId(id)) void this.#answer(id, method, params);
      else this.#hear(method, params);
      return;
    }
    const pending = this.#pendingFor(id);
    if (pending === undefined) return;
    const { error, result } = message;
    if (isJsonObject(error)) pending.reject(refusedError(error));
    else if (isJsonObject(result)) pending.resolve(result);
    else pending.reject(new WireError({ kind: "notMcp" }, "the answer holds neither a result nor an error"));
  }

  /** Some servers answer the number we sent as text. */
  #pendingFor(id: JsonValue | undefined): Pending | undefined {
    return isId(id) ? (this.#pending.get(id) ?? this.#pending.get(Number(id))) : undefined;
  }

  #hear(method: string, params: JsonObject): void {
    if (method === "notifications/cancelled") {
      const { requestId } = params;
      if (isId(requestId)) this.#answering.get(requestId)?.abort();
      return;
    }
    if (method === "notifications/progress") {
      const { progressToken, progress, total, message } = params;
      if (typeof progress !== "number") return;
      this.#pendingFor(progressToken)?.progress({
        progress,
        ...(typeof total === "number" && { total }),
        ...(typeof message === "string" && { message }),
      });
      return;
    }
    this.onNotification(method, params);
  }

  async #answer(id: MessageId, method: string, params: JsonObject): Promise<void> {
    let reply: Message;
    const abort = new AbortController();
    this.#answering.set(id, abort);
    try {
      const result = method === "ping" ? {} : await this.onRequest(method, params, abort.signal);
      reply = { jsonrpc: "2.0", id, result };
    } catch (error) {
      const code = error instanceof RpcRefusal ? error.code : -32603;
      reply = {
        jsonrpc: "2.0",
        id,
        error: { code, message: error instanceof Error ? error.message : String(error) },
      };
    } finally {
      this.#answering.delete(id);
    }
    if (abort.signal.aborted) return; // it takes its request back, or is gone
    try {
      await this.#channel.send(reply);
    } catch {
      /* the other end is gone; nobody waits for this answer */
    }
  }
}

function withProgressToken(params: JsonObject, id: MessageId): JsonObject {
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
  return { ...params, _meta: { ...meta, progressToken: id } };
}

function refusedError({ code, message, data }: JsonObject): WireError {
  const number = typeof code === "number" ? code : -32603;
  const text = typeof message === "string" ? message : "the server refused without a reason";
  return new WireError({ kind: "refused", code: number, ...(data !== undefined && { data }) }, text);
}

function isId(value: JsonValue | undefined): value is MessageId {
  return typeof value === "string" || typeof value === "number";
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
