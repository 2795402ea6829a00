import type { JsonObject, ServerFacts, ToolProgress } from "../model/index.ts";

export interface RequestOptions {
  /** How long the server may stay silent; progress renews it. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Doing it twice does no harm: the tool says so, and its server's word is trusted. Lists and reads need no such word. */
  readonly repeatable?: boolean | undefined;
}

/** Why a connection ended. */
export interface ConnectionEnd {
  /** It was closed from this side. */
  readonly expected: boolean;
  readonly message: string;
}

/** A live conversation with one server. Everything right of this room talks to servers through it. */
export interface Connection {
  readonly server: string;
  readonly facts: ServerFacts;
  /** Resolves when the conversation is over, whoever ended it. Never rejects. */
  readonly ended: Promise<ConnectionEnd>;
  /** Set while the server is probed; resolves with whether this connection goes on. New calls wait for it. */
  readonly probing?: Promise<boolean> | undefined;
  /** Answers the raw result. Rejects with `HostError`, or with `ToolAbortError` when the signal fired. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** The answer stops it. */
  onNotification(listener: (method: string, params: JsonObject) => void): () => void;
  close(): Promise<void>;
}
