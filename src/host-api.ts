import type { Settings } from "./config/index.ts";
import type {
  AgentTool,
  HostListener,
  MissingTools,
  Problem,
  ServerFacts,
  ServerLogLevel,
  WaitOptions,
} from "./model/index.ts";
import type {
  GivenProvider,
  HostApprovals,
  HostConfig,
  HostConversations,
  HostDoctor,
  HostPins,
  HostPrompts,
  HostRegistry,
  HostResources,
  HostSandbox,
  HostSecrets,
  HostSignIns,
  HostSupply,
  HostTasks,
  InteractionOptions,
  ListOptions,
  Middleware,
  ReloadOptions,
  SearchOptions,
  ServerView,
} from "./operations/index.ts";
import type { LevelLogger, Log, Ports } from "./platform/index.ts";
import type { ServerOptions } from "./server-options.ts";
import type { FunctionSchemas, Session, SessionOptions } from "./session/index.ts";
import type { SaveArtifact, Stores } from "./state/index.ts";
import type { CallParameters, CallResult, ServerName, ToolName } from "./typed-calls.ts";

/** Options for `createHost`. All are optional. */
export interface HostOptions extends InteractionOptions {
  /** The working folder. Default: the process's. */
  readonly cwd?: string;
  /** The user's home folder, an absolute path. Default: `HOME` in `env`, else the process's home folder. */
  readonly home?: string;
  /** The environment variables. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Servers that the program defines itself. They count as the user's own and take precedence over config files. */
  readonly servers?: Readonly<Record<string, ServerOptions>>;
  /** Servers to use unless a config file or `servers` defines one with the same name. */
  readonly fallbackServers?: Readonly<Record<string, ServerOptions>>;
  /** `false` reads no config files. Default: `true`. */
  readonly discover?: boolean;
  /** Settings that override the settings file. */
  readonly settings?: Partial<Settings>;
  /** How long a server's lists count as fresh, in milliseconds. An entry's or the server's own value takes precedence. */
  readonly toolsTtlMs?: number;
  /** Time limit for connecting and for calls, in milliseconds. Overrides the limits in all entries. */
  readonly timeoutMs?: number;
  /** `true` lets the project's servers run without approval while this host is open. Default: `false`. */
  readonly trustProject?: boolean;
  /**
   * The program's own OAuth providers, by the `authProviderId` of an entry. A provider has the tokens of one person: for principals, pass a
   * function that returns the provider of a principal.
   */
  readonly authProvidersById?: Readonly<Record<string, GivenProvider>>;
  /**
   * What happens to media and long text in results. `"files"` saves them in the artifact folder and tells the model the path. `false` saves
   * nothing. A function saves them itself and returns a reference for the model, such as a URL or an id, or `undefined`. Default: `"files"`.
   */
  readonly artifacts?: false | "files" | SaveArtifact;
  /**
   * Functions that run around every tool call, resource read, prompt, and request from a server, the first one outermost. A call must
   * be allowed before they run, and changed arguments go through all checks again.
   */
  readonly middleware?: readonly Middleware[];
  /**
   * Whether to use servers that the user's daemon runs, if they were started in exactly the same way. `"auto"` starts servers itself
   * if that is not possible; `"require"` fails. Default: `"off"`.
   */
  readonly daemon?: "auto" | "off" | "require";
  /** `false` starts no server before its first use, even if its entry has `eager: true`. Default: `true`. */
  readonly eager?: boolean;
  /** The log level to request from servers. Default: `"info"` for modern servers; legacy servers use their own default. */
  readonly serverLogLevel?: ServerLogLevel;
  /** Where the host keeps sign-ins, approvals, pins, lists and secrets. Default: files in Plugboard's own folders. */
  readonly stores?: Stores;
  /**
   * Receives the host's own log entries, with secrets masked. Takes pino's and winston's loggers, and objects with the method
   * `log(level, event, fields)`. By default, entries are discarded.
   */
  readonly log?: Log | LevelLogger;
  /**
   * Records every exchange with servers to this file, with secrets masked. Relative paths start at `cwd`. An earlier recording is
   * replaced. Cached lists are not used, so that the recording contains them.
   */
  readonly record?: string;
  /**
   * Answers requests from this recording instead of from servers. No server is started or contacted, and nothing is cached or pinned.
   * The servers must still be defined, and what they may do is decided as usual.
   */
  readonly replay?: string;
  /** Replaces access to files, processes, HTTP, the clock and other system interfaces, for tests. */
  readonly ports?: Partial<Ports>;
}

/** Options for `host.tools`. */
export interface ToolsOptions extends ListOptions {
  /**
   * How long to wait for servers without a list, in milliseconds; 0 does not wait. Default: 2,000 for all servers, or the server's own
   * time limits if you name one or set `refresh`.
   */
  readonly waitMs?: number | undefined;
  /** The account to use, if the user has several at this server. Default: the default account. */
  readonly account?: string | undefined;
  /** The person to list the tools for. Default: the host's own user. */
  readonly principal?: string | undefined;
}

/** Whose data to use. */
export interface PrincipalOptions extends WaitOptions {
  /** The person. Default: the host's own user. */
  readonly principal?: string | undefined;
}

/** Options for `host.search`. */
export interface HostSearchOptions extends SearchOptions {
  /** The person to search for. Default: the host's own user. */
  readonly principal?: string | undefined;
}

/**
 * The part of a host that serves one principal: a person with sign-ins, secrets, approvals, pins and connections of their own. None of
 * them is shared with other principals or with the host's own user.
 */
export interface PrincipalHost
  extends Pick<
    Host,
    | "tools"
    | "search"
    | "forgetUsage"
    | "call"
    | "session"
    | "connect"
    | "resources"
    | "prompts"
    | "approvals"
    | "pins"
    | "signIns"
    | "secrets"
    | "tasks"
  > {
  /** The name of the principal. */
  readonly principal: string;
  /** Returns one view per server name, with the state of the principal's connections. Starts nothing. */
  servers(): ServerView[];
  /** Closes the principal's connections. The next use opens new ones. */
  close(): Promise<void>;
}

/** The state of the host at one moment. */
export interface HostSnapshot {
  /** Increases with every change. */
  readonly revision: number;
  /** One entry per server name. */
  readonly servers: readonly ServerView[];
  /** Problems with config files and tool definitions. */
  readonly problems: readonly Problem[];
  /** Servers whose tools were requested and are not known, because they are slow or failed. */
  readonly missing: readonly MissingTools[];
}

/** All MCP servers of a user and a project. A server starts at its first use. */
export interface Host {
  /** Returns one view per server name. With `all: true`, includes shadowed entries. Starts nothing. */
  servers(options?: { readonly all?: boolean }): ServerView[];
  /** Returns the current state of everything. Starts nothing. */
  snapshot(): HostSnapshot;
  /** Subscribes to events and returns an unsubscribe function. Errors thrown by a listener are logged. */
  subscribe(listener: HostListener): () => void;
  /**
   * Returns the tools of one server, or of all that may run. Uses cached lists. For servers without one, connects and waits at most
   * `waitMs`; `snapshot().missing` lists those that were too slow or failed. Never asks a person to sign in. With a server's name,
   * rejects if its tools cannot be read.
   */
  tools(options?: ToolsOptions): Promise<AgentTool[]>;
  tools(server: string | undefined, options?: ToolsOptions): Promise<AgentTool[]>;
  /** Finds tools by what they do, best match first. Omits tools that may not be used. */
  search(query: string, options?: HostSearchOptions): Promise<AgentTool[]>;
  /** Deletes what searches have learned from a person's calls. Returns whether there was anything. */
  forgetUsage(options?: PrincipalOptions): Promise<boolean>;
  /**
   * Calls a tool. Resolves with its result, even if the result has `isError`. Rejects if the call itself failed. `args` may be a
   * function that receives the tool's definition and returns the arguments.
   */
  call<Server extends ServerName, Tool extends ToolName<Server>>(
    server: Server,
    tool: Tool,
    ...rest: CallParameters<Server, Tool>
  ): Promise<CallResult<Server, Tool>>;
  /** Creates a session: a set of tools for one agent that is updated when the servers change. */
  session<const Schemas extends FunctionSchemas>(options?: SessionOptions<Schemas>): Session;
  /**
   * Resolves with the part of the host that serves one principal, such as a user of a web server. The program decides who the principal
   * is; the host only keeps principals apart.
   */
  as(principal: string): Promise<PrincipalHost>;
  /** Connects to a server. Resolves with what the server reported about itself. */
  connect(server: string, options?: WaitOptions): Promise<ServerFacts>;
  /**
   * Connects to every server that may run and reads its lists. Each server has its own time limit, unless `timeoutMs` is given.
   * Does not reject if servers fail; their states show why.
   */
  connectAll(options?: WaitOptions & { readonly timeoutMs?: number }): Promise<void>;
  /** Reads settings and config files again. Restarts only changed servers that were in use. */
  reload(options?: ReloadOptions): Promise<void>;
  /** Closes the connection to one server. Without a name, closes the host and all connections. */
  close(server?: string): Promise<void>;
  /** Closes the host, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;

  /** Data that servers offer by URI. */
  readonly resources: HostResources;
  /** Message templates that servers fill in. */
  readonly prompts: HostPrompts;
  /** Approvals of a project's servers. */
  readonly approvals: HostApprovals;
  /** Pins: reviewed tool definitions. */
  readonly pins: HostPins;
  /** Sign-ins to servers. */
  readonly signIns: HostSignIns;
  /** Secrets in the vault. */
  readonly secrets: HostSecrets;
  /** Calls that servers run as tasks. */
  readonly tasks: HostTasks;
  /** Config files: reading, explaining and changing them. */
  readonly config: HostConfig;
  /** The MCP registry: finding servers that are not configured yet. */
  readonly registry: HostRegistry;
  /** The sandboxes of local servers: what they refuse, and how to change them. */
  readonly sandbox: HostSandbox;
  /** The supply chain: locked packages, launches and tools, and newer versions. */
  readonly supply: HostSupply;
  /** Conversations of the chat. */
  readonly conversations: HostConversations;
  /** Checks and maintenance. */
  readonly doctor: HostDoctor;
}
