import type { JsonObject, ServerFacts, ToolProgress } from "../model/index.ts";

export interface RequestOptions {
  /** How long to wait for a response. Progress restarts the timeout. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** The request may be sent twice. Set for tools of trusted servers that declare it; not needed for lists and reads. */
  readonly repeatable?: boolean | undefined;
}

/** Why a connection ended. */
export interface ConnectionEnd {
  /** Whether this side closed the connection. */
  readonly expected: boolean;
  readonly message: string;
}

/** A connection to one server. The other modules send all requests through it. */
export interface Connection {
  readonly server: string;
  readonly facts: ServerFacts;
  /** Resolves when the connection has ended, no matter which side ended it. Never rejects. */
  readonly ended: Promise<ConnectionEnd>;
  /** Set while the server is probed. Resolves with whether the connection is kept. New calls wait for it. */
  readonly probing?: Promise<boolean> | undefined;
  /** Resolves with the raw result. Rejects with a `HostError`, or with a `ToolAbortError` if the signal aborted. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Returns an unsubscribe function. */
  onNotification(listener: (method: string, params: JsonObject) => void): () => void;
  close(): Promise<void>;
}
