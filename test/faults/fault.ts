import type {
  HostErrorCode,
  LocalServerOptions,
  ProblemCode,
  RemoteServerOptions,
  ServerStateKind,
} from "../../src/index.ts";

/** A server that misbehaves in one way, and the expected outcome. */
export interface Fault<Script> {
  /** What the server does, as a sentence without a subject. */
  readonly name: string;
  readonly server: Script;
  /** Relevant fields of the config entry. By default every timeout is ten minutes, so that waiting for one fails the test. */
  readonly entry?: Partial<LocalServerOptions> | Partial<RemoteServerOptions>;
  /** What the host does with the server. Default: a call of `echo`. */
  readonly act?: "connect" | "call" | "list";
  readonly must: Outcome;
  /** The expected outcome of a later call of `echo`. */
  readonly again?: Outcome;
  /** How many times the server received each request in total. */
  readonly asked?: Readonly<Record<string, number>>;
  /** Long timers run a thousand times as fast, for limits of minutes. */
  readonly hurry?: boolean;
  /** The failure cannot be detected before a timeout, so the score does not measure how fast it is reported. */
  readonly unknowable?: boolean;
  /** The fault is designed to use too much memory, time or space. The score counts these separately. */
  readonly bomb?: true;
}

/** An expected failure or success. Only the fields that are set are compared. */
export interface Outcome {
  readonly code?: HostErrorCode;
  /** The code of the error behind it. */
  readonly cause?: HostErrorCode;
  /** Part of the message. */
  readonly says?: string;
  readonly text?: string;
  /** A part of the text. */
  readonly has?: string;
  readonly tools?: readonly string[];
  readonly problems?: readonly ProblemCode[];
  /** Any of these states, because a restart may be in progress or done. */
  readonly state?: readonly ServerStateKind[];
}

/** In texts, `$ANSWER` is replaced with the correct response and `$ID` with the request ID. */
export type StdioStep =
  | { readonly say: string; readonly times?: number }
  | { readonly complain: string; readonly times?: number }
  | { readonly dribble: string }
  | { readonly answer: true }
  | { readonly exit: number }
  | { readonly kill: NodeJS.Signals }
  | { readonly close: "stdin" | "stdout" }
  | { readonly wait: number }
  | { readonly ignore: NodeJS.Signals }
  | { readonly child: "group" | "session" }
  /** The first request runs the first steps, the second the next ones, also across restarts. After that the server behaves. */
  | { readonly turns: readonly (readonly StdioStep[])[] };

interface WellBehaved {
  readonly era?: "legacy" | "modern";
  readonly capabilities?: object;
  /** Additional tools, listed between the valid ones. */
  readonly tools?: readonly unknown[];
  readonly manyTools?: number;
}

export interface StdioScript extends WellBehaved {
  readonly start?: readonly StdioStep[];
  /** Steps instead of the response, by method. */
  readonly on?: Readonly<Record<string, readonly StdioStep[]>>;
  /** Steps when its standard input ends. Default: exit. */
  readonly end?: readonly StdioStep[];
  /** Never reads its input. */
  readonly deaf?: true;
}

export type HttpStep =
  | { readonly respond: HttpHead & { readonly body?: string } }
  | { readonly open: HttpHead }
  | { readonly send: string; readonly times?: number }
  /** Sends this number of zero bytes, compressed. */
  | { readonly bomb: number }
  | { readonly end: true }
  | { readonly cut: true }
  | { readonly reset: true }
  /** Writes directly to the socket. */
  | { readonly raw: string; readonly times?: number }
  /** Sends on the stream of the legacy SSE transport. */
  | { readonly push: string; readonly times?: number }
  | { readonly hangUp: true }
  | { readonly answer: true }
  | { readonly wait: number }
  /** Drops every connection and session and restarts on the same port. */
  | { readonly restart: true }
  | { readonly turns: readonly (readonly HttpStep[])[] };

interface HttpHead {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpScript extends WellBehaved {
  /** Uses the legacy SSE transport. */
  readonly sse?: true;
  /** Steps instead of the response, by message method, or `GET`, `resume`, `DELETE`, `connection`. Without an end step it hangs. */
  readonly on: Readonly<Record<string, readonly HttpStep[]>>;
  /** The URL to use instead of its own. */
  readonly url?: string;
  /** Uses an https URL. */
  readonly secure?: true;
}

export interface HttpFault extends Fault<HttpScript> {
  /** The eras it applies to. Default: both. */
  readonly eras?: readonly ("legacy" | "modern")[];
}
