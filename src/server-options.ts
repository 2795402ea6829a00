import type { CallAnswer, InProcessServer, McpTransport, PinPolicy } from "./model/index.ts";

/** Options of all servers that a program defines. Names and meanings are those of a native config entry. */
interface AnyServerOptions {
  /** `false` disables the server. Default: `true`. */
  readonly enabled?: boolean;
  /** Time limit for connecting and for each call, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Time limit for connecting, in milliseconds. Default: `timeout`. */
  readonly startupTimeout?: number;
  /** How long the server's lists count as fresh, in milliseconds. Default: the host's `toolsTtlMs`. */
  readonly toolsTtlMs?: number;
  /** Whether the server is trusted. Only tools in `allowTools` of an untrusted server can be used. Default: `"trusted"`. */
  readonly trust?: "trusted" | "untrusted";
  /** The tools that may be used, by the server's own names; `*` matches any text. Default: all. */
  readonly allowTools?: readonly string[];
  /** Tools that may not be used, by the server's own names. Takes precedence over `allowTools`. */
  readonly denyTools?: readonly string[];
  /** Which calls require approval: one rule for all tools, or one per tool. Default: `"allow"`. */
  readonly approval?: CallAnswer | Readonly<Record<string, CallAnswer>>;
  /** What happens when a tool's definition changes after it was pinned. */
  readonly pins?: PinPolicy;
  /** `true` starts the server with the host instead of at its first use. Default: `false`. */
  readonly eager?: boolean;
  /** Stops the server after this many milliseconds without use. Its next use starts it again. Default: never. */
  readonly idleStopMs?: number;
  /** How much memory the server's processes may use while a gateway runs them, in MB. It is restarted if it uses more. Default: 4096. */
  readonly maxMemoryMb?: number;
  /**
   * Who shares a connection to the server: all sessions of a person (`"user"`), or no one (`"session"`). Default: `"user"`; for principals,
   * `"session"` if the server is known to keep state, such as a browser.
   */
  readonly share?: "session" | "user";
  /** `"auto"`, `"legacy"`, or one protocol revision to require. Default: `"auto"`. */
  readonly protocol?: string;
  /** A stored sign-in to use: `{ type: "oauth", credentialId }`. */
  readonly auth?: Readonly<Record<string, string>>;
  /** OAuth settings of the server. `false` disables sign-in. */
  readonly oauth?: boolean | Readonly<Record<string, unknown>>;
  /** The id of the OAuth provider in the host's `authProvidersById` to sign in with. */
  readonly authProviderId?: string;
}

/** What a sandboxed process may use. */
export interface SandboxOptions {
  /** Further files and folders that it may read. */
  readonly read?: readonly string[];
  /** The files and folders that it may write. Default: the project. */
  readonly write?: readonly string[];
  /** Variables of the host's environment that it gets. */
  readonly env?: readonly string[];
  /** Whether it may use the network. Default: `"none"`. */
  readonly network?: "none" | "full";
  /** Hosts that it may reach without `network: "full"`: `"api.example.com"`, `"*.example.com"` or an address, each optionally with a port. */
  readonly hosts?: readonly string[];
}

/** A server that the host starts as a process and talks to over stdin and stdout. */
export interface LocalServerOptions extends AnyServerOptions {
  /** The transport. Optional, because `command` implies it. */
  readonly type?: "stdio";
  /** The program to run. */
  readonly command: string;
  /** The program's arguments. */
  readonly args?: readonly string[];
  /** Environment variables for the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder of the process. Default: the host's `cwd`. */
  readonly cwd?: string;
  /** Which of the host's variables the process inherits: `true` for all, `false` for a few basic ones, or their names. Default: `false`. */
  readonly inheritEnv?: boolean | readonly string[];
  /** A program and arguments to put in front of the command, such as a sandbox. */
  readonly wrap?: readonly string[];
  /** `true` runs the process in a sandbox; an object also allows more: see [Sandbox](../sandbox.md). Default: `false`. */
  readonly sandbox?: boolean | SandboxOptions;
  /** `true` lets package runners use the packages and settings of the working folder. Default: `false`. */
  readonly resolveInProject?: boolean;
  /** Time limit for a package runner to install the package, in milliseconds. Default: ten minutes. */
  readonly installTimeout?: number;
  /** Not allowed with `command`. */
  readonly url?: never;
  /** Not allowed with `command`. */
  readonly headers?: never;
  /** Not allowed with `command`. */
  readonly server?: never;
  /** Not allowed with `command`. */
  readonly transport?: never;
}

/** A server that the host reaches by URL. */
export interface RemoteServerOptions extends AnyServerOptions {
  /** The transport to try first: Streamable HTTP or SSE. Default: `"http"`. */
  readonly type?: "http" | "sse";
  /** The URL of the server's MCP endpoint. */
  readonly url: string;
  /** HTTP headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Not allowed with `url`. */
  readonly command?: never;
  /** Not allowed with `url`. */
  readonly args?: never;
  /** Not allowed with `url`. */
  readonly env?: never;
  /** Not allowed with `url`. */
  readonly cwd?: never;
  /** Not allowed with `url`. */
  readonly server?: never;
  /** Not allowed with `url`. */
  readonly transport?: never;
}

/** Options that do not apply to a server in the same process. */
interface NotInProcess {
  /** Not allowed for a server in the same process. */
  readonly type?: never;
  /** Not allowed for a server in the same process. */
  readonly command?: never;
  /** Not allowed for a server in the same process. */
  readonly url?: never;
}

/** A server object in the same process. The host connects to it without starting a process. */
export interface InProcessServerOptions extends AnyServerOptions, NotInProcess {
  /** An `McpServer` or `Server` of the official SDK, version 1 or 2. It has one connection at a time, so principals cannot use it. */
  readonly server: InProcessServer;
  /** Not allowed with `server`. */
  readonly transport?: never;
}

/** A server that the host reaches through the program's own transport. */
export interface TransportServerOptions extends AnyServerOptions, NotInProcess {
  /**
   * Creates the transport for a connection, in the shape of the official SDK. Called again for each new connection, with the principal
   * that it is for, if any.
   */
  readonly transport: (principal?: string) => McpTransport | Promise<McpTransport>;
  /** Not allowed with `transport`. */
  readonly server?: never;
}

/** A server that the program defines itself: local (`command`), remote (`url`) or in the same process (`server`, `transport`). */
export type ServerOptions =
  | LocalServerOptions
  | RemoteServerOptions
  | InProcessServerOptions
  | TransportServerOptions;
