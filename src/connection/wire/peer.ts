import { isJsonObject, type JsonObject, type JsonValue, type ToolProgress } from "../../model/index.ts";
import { type Clock, settledWithin } from "../../platform/index.ts";
import type { Channel } from "./channel.ts";
import { HangUp } from "./hang-up.ts";
import { type Message, type MessageId, notification, request } from "./message.ts";
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
}

/** Answers a request of the server; rejecting with an `RpcRefusal` refuses it. */
export type RequestHandler = (method: string, params: JsonObject) => Promise<JsonObject>;

export class RpcRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

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
  #nextId = 0;
  #closed = false;
  /** Whether cancelling means closing the stream rather than saying so. */
  cancelByClosing = false;
  onNotification: (method: string, params: JsonObject) => void = () => {};
  onRequest: RequestHandler = async (method) => {
    throw new RpcRefusal(-32601, `Unsupported server request: ${method}`);
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
    const { timeoutMs, wholeMs, signal, onProgress, headers } = options;
    if (this.#closed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(abortedError());
    this.#nextId += 1;
    const id = this.#nextId;
    const exchange = new HangUp();
    return new Promise<JsonObject>((resolve, reject) => {
      let stopTimer = this.#clock.after(timeoutMs, () => giveUp(timeoutError(timeoutMs)));
      const stopWhole =
        wholeMs === undefined ? undefined : this.#clock.after(wholeMs, () => giveUp(timeoutError(wholeMs)));
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
          stopTimer();
          stopTimer = this.#clock.after(timeoutMs, () => giveUp(timeoutError(timeoutMs)));
          onProgress?.(progress);
        },
      });
      signal?.addEventListener("abort", onAbort, { once: true });
      const framed = onProgress === undefined ? params : withProgressToken(params, id);
      this.#channel.send(request(id, method, framed), { signal: exchange, headers }).then(
        () => {
          if (this.#channel.perRequest && this.#pending.has(id))
            fail(new WireError({ kind: "streamLost" }, "the stream ended without an answer"));
        },
        (error: unknown) => fail(error as Error),
      );
    });
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    const sent = this.#channel.send(notification(method, params));
    this.#notices.add(sent);
    try {
      await sent;
    } finally {
      this.#notices.delete(sent);
    }
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
  }

  #receive(message: Message): void {
    const { id, method } = message;
    if (typeof method === "string") {
      const params = isJsonObject(message["params"]) ? message["params"] : {};
      if (isId(id)) void this.#answer(id, method, params);
      else this.#hear(method, params);
      return;
    }
    const pending = isId(id) ? (this.#pending.get(id) ?? this.#pending.get(Number(id))) : undefined;
    if (pending === undefined) return;
    const { error, result } = message;
    if (isJsonObject(error)) pending.reject(refusedError(error));
    else if (isJsonObject(result)) pending.resolve(result);
    else pending.reject(new WireError({ kind: "notMcp" }, "the answer holds neither a result nor an error"));
  }

  #hear(method: string, params: JsonObject): void {
    if (method === "notifications/progress") {
      const { progressToken, progress, total, message } = params;
      if (!isId(progressToken) || typeof progress !== "number") return;
      this.#pending.get(progressToken)?.progress({
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
    try {
      reply = { jsonrpc: "2.0", id, result: method === "ping" ? {} : await this.onRequest(method, params) };
    } catch (error) {
      const code = error instanceof RpcRefusal ? error.code : -32603;
      reply = {
        jsonrpc: "2.0",
        id,
        error: { code, message: error instanceof Error ? error.message : String(error) },
      };
    }
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

function timeoutError(ms: number): WireError {
  return new WireError({ kind: "timeout" }, `no answer within ${ms} ms`);
}
