import type {
  HostErrorCode,
  LocalServerOptions,
  ProblemCode,
  RemoteServerOptions,
  ServerStateKind,
} from "../../src/index.ts";

/** A server that misbehaves in one way, and what must come of it. */
export interface Fault<Script> {
  /** What the server does, as a sentence without its subject. */
  readonly name: string;
  readonly server: Script;
  /** What of the config entry matters. Without it every timeout is ten minutes: waiting for one fails the test. */
  readonly entry?: Partial<LocalServerOptions> | Partial<RemoteServerOptions>;
  /** What the host is asked to do with it; a call of `echo` unless it says otherwise. */
  readonly act?: "connect" | "call" | "list";
  readonly must: Outcome;
  /** What comes of a call of `echo` afterwards. */
  readonly again?: Outcome;
  /** How often the server was asked this, all in all. */
  readonly asked?: Readonly<Record<string, number>>;
  /** Long timers pass a thousand times as fast, for limits that are minutes away. */
  readonly hurry?: boolean;
  /** The failure cannot be known before a timeout: the score does not measure how fast it is reported. */
  readonly unknowable?: boolean;
  /** It is made to take too much memory, time or room: the score counts these once more, with all that is measured. */
  readonly bomb?: true;
}

/** A failure by its code, or what a success brings. Only what is given is compared. */
export interface Outcome {
  readonly code?: HostErrorCode;
  /** The code of the error behind it. */
  readonly cause?: HostErrorCode;
  /** Part of the message. */
  readonly says?: string;
  readonly text?: string;
  /** What the text holds somewhere. */
  readonly has?: string;
  readonly tools?: readonly string[];
  readonly problems?: readonly ProblemCode[];
  /** Any of these; a restart may be under way or done. */
  readonly state?: readonly ServerStateKind[];
}

/** `$ANSWER` in a text is the proper message, `$ID` the id of the request. */
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
  /** The first time the first steps, then the second, however often it is started; after that it behaves. */
  | { readonly turns: readonly (readonly StdioStep[])[] };

interface WellBehaved {
  readonly era?: "legacy" | "modern";
  readonly capabilities?: object;
  /** Listed between the good ones. */
  readonly tools?: readonly unknown[];
  readonly manyTools?: number;
}

export interface StdioScript extends WellBehaved {
  readonly start?: readonly StdioStep[];
  /** Steps instead of the answer, by method. */
  readonly on?: Readonly<Record<string, readonly StdioStep[]>>;
  /** When its input ends; it exits unless there are steps. */
  readonly end?: readonly StdioStep[];
  /** Never reads its input. */
  readonly deaf?: true;
}

export type HttpStep =
  | { readonly respond: HttpHead & { readonly body?: string } }
  | { readonly open: HttpHead }
  | { readonly send: string; readonly times?: number }
  /** So many bytes of nothing, compressed. */
  | { readonly bomb: number }
  | { readonly end: true }
  | { readonly cut: true }
  | { readonly reset: true }
  /** Past HTTP, onto the socket. */
  | { readonly raw: string; readonly times?: number }
  /** On the stream of the old HTTP+SSE transport. */
  | { readonly push: string; readonly times?: number }
  | { readonly hangUp: true }
  | { readonly answer: true }
  | { readonly wait: number }
  /** Drops every connection, forgets every session and comes back on the same port. */
  | { readonly restart: true }
  | { readonly turns: readonly (readonly HttpStep[])[] };

interface HttpHead {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpScript extends WellBehaved {
  /** The old HTTP+SSE transport. */
  readonly sse?: true;
  /** Steps instead of the answer, by method of the message, or `GET`, `resume`, `DELETE`, `connection`. Without an end, it hangs. */
  readonly on: Readonly<Record<string, readonly HttpStep[]>>;
  /** Where it is reached, instead of its own address. */
  readonly url?: string;
  /** Reached by an address that promises TLS. */
  readonly secure?: true;
}

export interface HttpFault extends Fault<HttpScript> {
  /** Where it applies; both unless it says otherwise. */
  readonly eras?: readonly ("legacy" | "modern")[];
}
