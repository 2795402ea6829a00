import type { Era, JsonObject, JsonValue, ServerFacts, ToolProgress } from "../model/index.ts";
import type { RunningProcess } from "../platform/index.ts";

export interface RequestOptions {
  /** How long to wait for a response. Progress restarts the timeout. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** `raw` is the notification's parameters as the server sent them. */
  readonly onProgress?: ((progress: ToolProgress, raw?: JsonObject) => void) | undefined;
  /** The request may be sent twice. Set for tools of trusted servers that declare it; not needed for lists and reads. */
  readonly repeatable?: boolean | undefined;
  /**
   * `true` returns the server's answer as it is: a request for input is not answered, a task is not followed, and no protocol field
   * is removed. For programs that relay the answer to a client.
   */
  readonly raw?: boolean | undefined;
  /** The eras of servers whose tasks a raw request follows to their end, for clients that cannot do it. */
  readonly followTasks?: readonly Era[] | undefined;
  /** Continues this task of the server instead of sending the request. Cancelling does not cancel the task. */
  readonly resumeTask?: string | undefined;
  /** Identifies this request to the handlers of server requests and notifications that arrive on its own stream. */
  readonly origin?: object | undefined;
}

/** Called with a server's notification. `origin` is set if the notification arrived on the stream of a request that has one. */
export type NotificationListener = (method: string, params: JsonObject, origin?: object) => void;

/** Remembers a task of the server until the returned function is called. */
export type TaskJournal = (task: {
  readonly taskId: string;
  readonly tool: string;
  /** How long the server keeps the result, if it says so. */
  readonly ttl?: JsonValue | undefined;
}) => Promise<() => Promise<void>>;

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
  /** The capabilities that the server announced, as it sent them. Absent for recorded connections. */
  readonly capabilities?: JsonObject | undefined;
  /** The process of a server that this connection started. */
  readonly process?: Pick<RunningProcess, "pid" | "usage"> | undefined;
  /** Resolves when the connection has ended, no matter which side ended it. Never rejects. */
  readonly ended: Promise<ConnectionEnd>;
  /** Set while the server is probed. Resolves with whether the connection is kept. New calls wait for it. */
  readonly probing?: Promise<boolean> | undefined;
  /** Resolves with the raw result. Rejects with a `HostError`, or with a `ToolAbortError` if the signal aborted. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Returns an unsubscribe function. */
  onNotification(listener: NotificationListener): () => void;
  /** Ends it. `why` is part of the error for running requests. */
  close(why?: string): Promise<void>;
}
