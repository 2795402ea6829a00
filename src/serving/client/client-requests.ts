import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { type Clock, unlessAborted } from "../../platform/index.ts";
import { INTERNAL_ERROR, ownError, RpcError } from "../rpc-error.ts";
import type { MessageId } from "./client-messages.ts";

/** How long a client may take to answer a request. */
const ANSWER_MS = 600_000;
const MOST_OPEN = 64;

type Send = (message: JsonObject) => void;

/** The gateway's requests to one legacy client. */
export class ClientRequests {
  readonly #clock: Clock;
  readonly #open = new Map<MessageId, (message: JsonObject) => void>();
  /** Ids of different gateways differ, because a session can move while its client is asked. */
  readonly #prefix: string;
  #count = 0;

  constructor(clock: Clock, prefix = "plugboard") {
    this.#clock = clock;
    this.#prefix = prefix;
  }

  /** Sends a request and resolves with the client's result. Rejects with an `RpcError`. */
  async ask(send: Send, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (this.#open.size >= MOST_OPEN) throw ownError("busy", "The client has too many open requests.");
    this.#count += 1;
    const id = `${this.#prefix}.${this.#count}`;
    const answered = new Promise<JsonObject>((resolve) => this.#open.set(id, resolve));
    const late = new AbortController();
    const stopTimer = this.#clock.after(ANSWER_MS, () => late.abort(), { background: true });
    send({ jsonrpc: "2.0", id, method, params });
    try {
      const { result, error } = await unlessAborted(AbortSignal.any([signal, late.signal]), () => answered);
      if (isJsonObject(result)) return result;
      throw toRpcError(error);
    } catch (cause) {
      if (!(cause instanceof RpcError))
        send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      throw cause;
    } finally {
      stopTimer();
      this.#open.delete(id);
    }
  }

  /** Handles a client's response. Returns whether it belongs to one of these requests. */
  answer(id: MessageId, message: JsonObject): boolean {
    const resolve = this.#open.get(id);
    resolve?.(message);
    return resolve !== undefined;
  }
}

function toRpcError(error: unknown): RpcError {
  const { code, message, data } = isJsonObject(error) ? error : {};
  return new RpcError(
    typeof code === "number" ? code : INTERNAL_ERROR,
    typeof message === "string" ? message : "The client refused the request.",
    data,
  );
}
