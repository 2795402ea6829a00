import type { JsonObject, JsonValue } from "../../model/index.ts";
import type { IncomingRequest, OutgoingResponse } from "../../platform/index.ts";

/** What the gateways of a team share about one person's clients. */
export interface ServingCluster {
  /** Identifies this gateway in what clients send back. */
  readonly node: string;
  /** Returns keys that all gateways have, the one for new values first. */
  keysFor(purpose: string): readonly Uint8Array[];
  readonly sessions: SharedSessions;
  readonly tasks: SharedTasks;
  /**
   * Passes a request on to another gateway and answers it with that gateway's response. Resolves with `false` if that gateway has ended.
   */
  forward(node: string, passed: PassedRequest): Promise<boolean>;
}

/** A request that may belong to another gateway. */
export interface PassedRequest {
  readonly request: IncomingRequest;
  readonly body: string;
  readonly response: OutgoingResponse;
  /** Headers for the response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly address: string;
  /** Whether it belongs to a call that continues after its session has moved. */
  readonly isDetached?: boolean;
}

/** The tasks of one person's clients, which all gateways know. */
export interface SharedTasks {
  create(task: {
    readonly id: string;
    readonly server: string;
    readonly state: JsonObject;
    readonly expiresAt: number;
  }): Promise<void>;
  list(): Promise<readonly { readonly id: string; readonly state: JsonValue }[]>;
  remove(id: string): Promise<void>;
}

/** The sessions of one person's legacy clients, which all gateways know. */
export interface SharedSessions {
  /** Rejects if the session cannot be stored. */
  create(id: string, endpoint: string, state: JsonObject): Promise<void>;
  /** Returns a session that this gateway has. */
  load(id: string): Promise<{ readonly endpoint: string; readonly state: JsonValue } | undefined>;
  update(id: string, state: JsonObject): Promise<void>;
  seen(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}
