import type { CallAnswer, PinPolicy } from "./model/index.ts";

/** Options of every server that a program defines. They have the names and meanings of a native config entry's keys. */
interface AnyServerOptions {
  /** `false` disables the server. Default: `true`. */
  readonly enabled?: boolean;
  /** Time limit for connecting and for each call, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Time limit for connecting, in milliseconds. Default: `timeout`. */
  readonly startupTimeout?: number;
  /** How long the server's lists count as fresh, in milliseconds. Default: the host's `toolsTtlMs`. */
  readonly toolsTtlMs?: number;
  /** Tools of an untrusted server can be used only if `allowTools` lists them. Default: `"trusted"`. */
  readonly trust?: "trusted" | "untrusted";
  /** The tools that may be used, by the server's own names; `*` matches any text. Default: all. */
  readonly allowTools?: readonly string[];
  /** Tools that may not be used, by the server's own names. Wins over `allowTools`. */
  readonly denyTools?: readonly string[];
  /** Which calls require approval: one rule for all tools, or one per tool. Default: `"allow"`. */
  readonly approval?: CallAnswer | Readonly<Record<string, CallAnswer>>;
  /** What happens when a tool's definition changes after it was reviewed. */
  readonly pins?: PinPolicy;
  /** `true` starts the server with the host instead of at its first use. Default: `false`. */
  readonly eager?: boolean;
  /** Stop the server after this many milliseconds without use. Its next use starts it again. */
  readonly idleStopMs?: number;
  /** `"auto"`, `"legacy"`, or one protocol revision to require. Default: `"auto"`. */
  readonly protocol?: string;
  /** A sign-in that the entry names, as `{ type: "oauth", credentialId }`. */
  readonly auth?: Readonly<Record<string, string>>;
  /** OAuth settings of the server; `false` never signs in. */
  readonly oauth?: boolean | Readonly<Record<string, unknown>>;
  /** Signs in with the provider of this id in the host's `authProvidersById`. */
  readonly authProviderId?: string;
}

/** A server that the host starts as a process and talks to over stdin and stdout. */
export interface LocalServerOptions extends AnyServerOptions {
  readonly type?: "stdio";
  /** The program to run. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** Environment variables for the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working folder. Default: the host's `cwd`. */
  readonly cwd?: string;
  /** Which of the host's variables it inherits: all, a few basic ones, or these. Default: a few basic ones. */
  readonly inheritEnv?: boolean | readonly string[];
  /** A program and arguments to put in front of the command, such as a sandbox. */
  readonly wrap?: readonly string[];
  /** `true` lets package runners use the packages and settings of the working folder. Default: `false`. */
  readonly resolveInProject?: boolean;
  /** Time limit for a package runner to install the package, in milliseconds. Default: ten minutes. */
  readonly installTimeout?: number;
  readonly url?: never;
  readonly headers?: never;
}

/** A server that the host reaches by URL. */
export interface RemoteServerOptions extends AnyServerOptions {
  /** The transport to try first: Streamable HTTP or SSE. Default: `"http"`. */
  readonly type?: "http" | "sse";
  /** The address of the server's MCP endpoint. */
  readonly url: string;
  /** HTTP headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: never;
  readonly args?: never;
  readonly env?: never;
  readonly cwd?: never;
}

/** A server that the program defines itself: local with `command`, or remote with `url`. */
export type ServerOptions = LocalServerOptions | RemoteServerOptions;
