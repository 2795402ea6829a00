import type { ClientCapabilities, JsonObject } from "../model/index.ts";

/** Passes servers' requests on to the client of a gateway. */
export interface ServerRelay {
  /** Throws if a server with these capabilities must not be used. */
  accept?(server: string, capabilities: JsonObject): void;
  /** Returns an item of a server's list for the clients, or `undefined` if they must not see it. `capabilities` are those of the server. */
  passOn?(item: JsonObject, capabilities: JsonObject): JsonObject | undefined;
  /** The client capabilities that are announced to servers, by era. */
  readonly announce: { readonly legacy: ClientCapabilities; readonly modern: ClientCapabilities };
  /**
   * Answers a request of a server. Rejects with an `RpcRefusal` to refuse it. `origin` is that of the request on whose stream it
   * arrived, if the transport can tell.
   */
  answer(
    server: string,
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    origin?: object,
  ): Promise<JsonObject>;
}
