import type { Era, JsonObject } from "../model/index.ts";
import type { Endpoint } from "./endpoint.ts";

/** One downstream conversation: a pipe, a session over HTTP, or the modern requests of one person at one endpoint. */
export interface Client {
  /** Identifies the conversation. Connections that are not shared belong to it. */
  readonly id: string;
  readonly endpoint: Endpoint;
  /** Whether client and gateway run on the same machine for the same user, so that the client's folders are the gateway's. */
  readonly isLocal: boolean;
  /** Whether every request comes from a new client, which has no stream for notifications. */
  readonly isStateless?: boolean;
  /** The log level that a legacy client requested. */
  logLevel: string | undefined;
  /** Sends a notification outside of any request. Dropped if the client has no stream for it. */
  notify(method: string, params: JsonObject): void;
}

/** What a client announced, in `initialize` or with a modern request. */
export interface ClientFacts {
  readonly era: Era;
  readonly version: string;
  readonly capabilities: JsonObject;
  /** Who the client says it is. */
  readonly info?: ClientInfo | undefined;
}

export interface ClientInfo {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

/** A request of a client. */
export interface ClientRequest extends ClientFacts {
  readonly client: Client;
  readonly method: string;
  readonly params: JsonObject;
  /** Aborts when the client cancels the request. */
  readonly signal: AbortSignal;
  /** Sends a notification before the answer, on the answer's stream. */
  notify(method: string, params: JsonObject): void;
  /** Sends a request to a legacy client and resolves with its result. Rejects with an `RpcError`. Modern clients take none. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}
