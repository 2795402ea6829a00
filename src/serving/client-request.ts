import type { Era, JsonObject } from "../model/index.ts";
import type { PolicyDecision } from "../policy/index.ts";
import type { Rights } from "./access/rights.ts";
import type { Endpoint } from "./endpoint.ts";

/** A client's conversation with the gateway: a pipe, a session over HTTP, or one person's modern requests to one endpoint. */
export interface Client {
  /** Identifies the conversation. It owns the connections that are not shared. */
  readonly id: string;
  endpoint: Endpoint;
  /** Whether client and gateway run on the same machine for the same user. The client's folders are then also the gateway's. */
  readonly isLocal: boolean;
  /** Whether every request may come from another client, none of which has a stream for notifications. */
  readonly isStateless?: boolean;
  /** The log level that a legacy client requested. */
  logLevel: string | undefined;
  /** The roots of a legacy client, once a server needed them and until they change. */
  roots?: Promise<JsonObject> | undefined;
  /** What the person who listens may know about. Not set for local clients. */
  rights?: Rights | undefined;
  /** Sends a notification outside of any request. It is dropped if the client has no stream for it. */
  notify(method: string, params: JsonObject): void;
}

/** What a client announced, in `initialize` or with a modern request. */
export interface ClientFacts {
  readonly era: Era;
  readonly version: string;
  readonly capabilities: JsonObject;
  /** The client's own name and version. */
  readonly info?: ClientInfo | undefined;
}

export interface ClientInfo {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

/** Where a request went, for the record. */
export interface RelayedTo {
  server?: string;
  item?: string;
  era?: Era;
  /** What the policy of a team says about it. */
  decision?: PolicyDecision | undefined;
}

/** A request of a client. */
export interface ClientRequest extends ClientFacts {
  readonly client: Client;
  /** What the token of this request allows. Not set for local clients. */
  readonly rights?: Rights | undefined;
  /** Filled in while the request is relayed. Requests that are made from this one share it. */
  readonly relayed: RelayedTo;
  readonly method: string;
  readonly params: JsonObject;
  /** Whether a person approved this execution of the request. */
  readonly isApproved?: boolean;
  /** Aborts when the client cancels the request. */
  readonly signal: AbortSignal;
  /** Tells the pipe of this client that it may send the call to another gateway if this one ends. */
  readonly onRepeatable?: (() => void) | undefined;
  /** Sends a notification before the response, on the response's stream. */
  notify(method: string, params: JsonObject): void;
  /** Sends a request to a legacy client and resolves with its result. Rejects with an `RpcError`. Modern clients accept no requests. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}
