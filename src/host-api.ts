import type { OAuthProvider, ShowSignIn, SignInView } from "./auth/index.ts";
import type { Settings } from "./config/index.ts";
import type {
  AgentTool,
  Bundle,
  CallAnswer,
  CallOptions,
  CallRequest,
  Completion,
  CompletionArgument,
  CompletionRef,
  HostListener,
  JsonObject,
  PinPolicy,
  Problem,
  PromptResult,
  QuestionHandlers,
  ResourceResult,
  ServerFacts,
  ServerLogLevel,
  ServerStatus,
  ToolResult,
} from "./model/index.ts";
import type {
  AddRequest,
  ApprovalView,
  BrokenPackage,
  CallPreview,
  Diagnosis,
  ExportPlan,
  ExportRequest,
  ExportResult,
  Finding,
  GivenArguments,
  ImportRequest,
  ImportResult,
  LaunchInspection,
  LoginOptions,
  PinReport,
  ReloadOptions,
  ServerExplanation,
  ServerPrompt,
  ServerResource,
  ServerResourceTemplate,
  ServerTest,
  ServerView,
  SwitchedServer,
  ToolBudget,
  UninstallOptions,
  UninstallPlan,
  UninstallResult,
  WriteScope,
  WrittenServer,
} from "./operations/index.ts";
import type { Log, Ports } from "./platform/index.ts";
import type { ApprovalRequest } from "./policy/index.ts";
import type { Session, SessionOptions } from "./session/index.ts";
import type { LoggedRun } from "./state/index.ts";

/** A server given by the program: the keys of a native config entry. */
export interface ServerOptions {
  readonly type?: "stdio" | "http" | "sse";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  readonly timeout?: number;
  readonly startupTimeout?: number;
  /** How many milliseconds a package runner may take to install its package. Default: ten minutes. */
  readonly installTimeout?: number;
  readonly toolsTtlMs?: number;
  readonly inheritEnv?: boolean | readonly string[];
  readonly wrap?: readonly string[];
  /** Run the packages of the working folder: by default package runners look for packages outside it. */
  readonly resolveInProject?: boolean;
  readonly trust?: "trusted" | "untrusted";
  readonly allowTools?: readonly string[];
  readonly denyTools?: readonly string[];
  readonly approval?: CallAnswer | Readonly<Record<string, CallAnswer>>;
  readonly pins?: PinPolicy;
  /** Start it with the host instead of with its first use. */
  readonly eager?: boolean;
  /** Stop it when it was not used for so many milliseconds; its next use starts it again. */
  readonly idleStopMs?: number;
  /** `auto`, `legacy`, or the one protocol revision that will do. */
  readonly protocol?: string;
  readonly auth?: Readonly<Record<string, string>>;
  readonly oauth?: boolean | Readonly<Record<string, unknown>>;
  readonly authProviderId?: string;
}

/** What a program decides for its host; everything has a default. */
export interface HostOptions extends QuestionHandlers {
  /** The working folder. Default: the process's. */
  readonly cwd?: string;
  /** The user's home folder, absolute. Default: `HOME` in `env`, else the process's home folder. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Servers the program brings itself. They are the user's own word and come before every file. */
  readonly servers?: Readonly<Record<string, ServerOptions>>;
  /** `false` reads no config files at all. */
  readonly discover?: boolean;
  readonly settings?: Partial<Settings>;
  /** How long a server's lists count as fresh; its entry and the server itself may say otherwise. */
  readonly toolsTtlMs?: number;
  /** The time limit of every server, for connecting and for calls, whatever its entry says. */
  readonly timeoutMs?: number;
  /** Take the project's word for this run, without asking. */
  readonly trustProject?: boolean;
  /** Asks a person to approve a project's server when one is needed. Without it the answer is no. */
  readonly onApproval?: (request: ApprovalRequest) => boolean | Promise<boolean>;
  /** Asks a person for one call, where a rule says so. Without it the answer is no. */
  readonly onCall?: (
    request: CallRequest,
    /** The signal fires when the call is no longer wanted. */
    context: { readonly signal: AbortSignal | undefined },
  ) => boolean | Promise<boolean>;
  /** Shows a person where to sign in. May answer the address the browser ended at, or the code in it. */
  readonly onSignIn?: ShowSignIn;
  /** The program's own ways to sign in, by the `authProviderId` of a config. */
  readonly authProvidersById?: Readonly<Record<string, OAuthProvider>>;
  readonly interaction?: "ask" | "forbid";
  /** `false` starts nothing before its first use, whatever `eager` in the entries says. */
  readonly eager?: boolean;
  /** How much servers are asked to log. Without it a server of the legacy era decides, and a modern one is asked for `info`. */
  readonly serverLogLevel?: ServerLogLevel;
  readonly log?: Log;
  readonly ports?: Partial<Ports>;
}

export interface ToolsOptions {
  /** Ask the servers, whatever the cache holds. */
  readonly refresh?: boolean;
  /** `false`: only what is known already; no server is asked, and none is started. */
  readonly connect?: boolean;
}

/** The account of the one server that is asked, where a person has several. */
export interface AccountOption {
  readonly account?: string | undefined;
}

/** The state of everything at one moment. */
export interface HostSnapshot {
  readonly revision: number;
  readonly servers: readonly ServerView[];
  readonly problems: readonly Problem[];
}

/** Every MCP server of a person and a project, ready to be used. Nothing starts until it is used. */
export interface Host {
  /** One per name; with `all`, the shadowed entries too. Starts nothing. */
  servers(options?: { readonly all?: boolean }): ServerView[];
  snapshot(): HostSnapshot;
  /** The settings that hold: the program's own, else those of the file, else the defaults. */
  settings(): Settings;
  /** The states in the five words of OpenCode, by server. Starts nothing. */
  status(): Readonly<Record<string, ServerStatus>>;
  /** Told what changes. The answer stops it. A listener that throws hurts nobody. */
  subscribe(listener: HostListener): () => void;
  /** The tools of one server, or of all that may run: from the cache where there is one, else by connecting. */
  tools(server?: string, options?: ToolsOptions & AccountOption): Promise<AgentTool[]>;
  /**
   * Resolves with what the tool answered, also when it answered `isError`; rejects when the call itself failed. The arguments may
   * be made from the tool's definition; its server starts meanwhile.
   */
  call(server: string, tool: string, args?: GivenArguments, options?: CallOptions): Promise<ToolResult>;
  /** The resources of one server, or of all that may run; known and refreshed as tools are. */
  resources(server?: string, options?: ToolsOptions): Promise<ServerResource[]>;
  resourceTemplates(server?: string, options?: ToolsOptions): Promise<ServerResourceTemplate[]>;
  /** Asks the server for a resource, listed or not. */
  readResource(
    server: string,
    uri: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ResourceResult>;
  /** Told when the resource changes, and after a reconnection, when it may have. The answer stops it. */
  subscribeResource(
    server: string,
    uri: string,
    listener: (uri: string) => void,
  ): Promise<() => Promise<void>>;
  prompts(server?: string, options?: ToolsOptions): Promise<ServerPrompt[]>;
  /** The prompt with its arguments filled in by its server. */
  getPrompt(
    server: string,
    prompt: string,
    args?: Readonly<Record<string, string>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<PromptResult>;
  /** What the server suggests for an argument of a prompt or of a resource template. */
  complete(server: string, ref: CompletionRef, argument: CompletionArgument): Promise<Completion>;
  /** Connects afresh and reports what is there. */
  test(server: string): Promise<ServerTest>;
  connect(server: string): Promise<ServerFacts>;
  /**
   * Connects to every server that may run and reads its lists. Each server has its own time limits; `timeoutMs` is one for
   * all of them. Never rejects: the states tell how it went.
   */
  connectAll(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** What approving the server would allow, to be shown to a person. */
  approval(server: string): ApprovalRequest;
  /** Records approval of the launch with this hash, and the names of the variables that its `envFile` sets. */
  approve(server: string, hash: string): Promise<ApprovalRequest>;
  /** Tools by what they do, the best first; what may not be used is not found. */
  search(
    query: string,
    options?: { readonly server?: string; readonly limit?: number },
  ): Promise<AgentTool[]>;
  /** What handing the tools to a model costs in tokens, by mode and by server. `connect: false` asks no server: what is known counts. */
  budget(options?: { readonly connect?: boolean }): Promise<ToolBudget>;
  /** Every yes that was given. */
  approvals(): ApprovalView[];
  /** Returns what the launch would execute and read on this machine, and who would get it. Runs nothing. */
  inspect(server: string): Promise<LaunchInspection>;
  /** Takes the yes to a server back: it is ended, and asks again. */
  revoke(server: string): Promise<ApprovalView[]>;
  /** What a call would send, and which rule decides over it. Connects to nothing. */
  preview(server: string, tool: string, args?: JsonObject): Promise<CallPreview>;
  /** How the tools of one server, or of all, stand to what was looked at. Connects where nothing is known of them. */
  pins(server?: string): Promise<PinReport[]>;
  /** Records that a person looked at the tools with that hash. */
  acceptPins(server: string, hash: string): Promise<PinReport>;
  /** Every named share of a server's tools, first in precedence first. */
  bundles(): readonly Bundle[];
  /** Writes a server into a native file; what a person adds is approved by that. Connects to nothing. */
  add(request: AddRequest): Promise<WrittenServer>;
  /** What is wrong with a name for a new server, if anything. */
  checkName(name: string): string | undefined;
  remove(server: string, scope?: WriteScope): Promise<WrittenServer>;
  /** In a native file the entry says so; for another tool's server, a list in the user's own file. */
  setEnabled(server: string, enabled: boolean): Promise<SwitchedServer>;
  move(server: string, scope: WriteScope): Promise<WrittenServer>;
  /** Copies servers of another tool into a native file. */
  importFrom(request: ImportRequest): Promise<ImportResult>;
  /** What writing servers into another tool's file would change. Writes nothing. */
  planExport(request: ExportRequest): Promise<ExportPlan>;
  /** Writes what a plan says, after a backup; refuses when the file changed since. */
  applyExport(plan: ExportPlan): Promise<ExportResult>;
  /** One server field by field, with the place each value came from. Starts nothing. */
  explain(server: string): Promise<ServerExplanation>;
  /** What the last runs of a local server said on standard error, or on standard output beside the protocol, oldest first. Starts nothing. */
  logs(server: string, options?: { readonly lines?: number }): Promise<readonly LoggedRun[]>;
  /** Every file read, every entry, everything wrong or unwise. Starts nothing. */
  diagnose(server?: string): Diagnosis;
  /** Signs a person in to a remote server; opens a browser unless told otherwise. The next connection uses it. */
  login(server: string, options?: LoginOptions): Promise<SignInView>;
  /** Forgets the sign-ins of a server, or of one account, here and where they were made. Answers the accounts. */
  logout(server: string, options?: { readonly account?: string }): Promise<string[]>;
  /** Makes another account the one that is used for a server. */
  useAccount(server: string, account: string): Promise<void>;
  /** Every sign-in there is, without its tokens. */
  signIns(): Promise<SignInView[]>;
  /** The names of the secrets that `keychain:<name>` in a config stands for. */
  secrets(): Promise<string[]>;
  readSecret(name: string): Promise<string | undefined>;
  /** Kept in the vault; servers get it at their next start. */
  storeSecret(name: string, text: string): Promise<void>;
  /** Answers whether there was one. */
  removeSecret(name: string): Promise<boolean>;
  /**
   * Asks the commands, stored secrets and files that values come from, of one server or of all that may run, and says which
   * have no answer. Starts no server.
   */
  checkValues(server?: string): Promise<readonly Problem[]>;
  /**
   * Which local servers name a program that is not there, and where it was looked for. Of a project's server that nobody approved only
   * a bare name is looked for. Runs nothing.
   */
  checkPrograms(server?: string): Promise<readonly Finding[]>;
  /** Finds packages that an interrupted installation left incomplete in npm's cache. Starts nothing. */
  checkPackages(server?: string): Promise<readonly BrokenPackage[]>;
  /** Removes such packages, so that the next start installs them again. Returns what was removed. */
  repairPackages(server?: string): Promise<readonly BrokenPackage[]>;
  /** What is wrong with the tools of one server, or of all that may run, as they were last read. Connects to nothing. */
  checkTools(server?: string): Promise<readonly Problem[]>;
  /** Checks the vault: damaged entries, a missing key, files that other users can read. */
  checkVault(): Promise<readonly Problem[]>;
  /** Shows a person a web page in their browser, without a shell. Answers whether something was started that might. */
  openPage(url: string): Promise<boolean>;
  /** Returns everything that Plugboard keeps on this machine for this user. Removes nothing. */
  planUninstall(options?: UninstallOptions): Promise<UninstallPlan>;
  /**
   * Closes this host, then removes what the plan shows: state, cache, vault and keychain entry. Sign-ins are not revoked at their
   * servers: use `logout` for that first.
   */
  uninstall(plan: UninstallPlan): Promise<UninstallResult>;
  session(options?: SessionOptions): Session;
  /** Reads the settings and config files again; only servers that changed are ended, and restarted when they were in use. */
  reload(options?: ReloadOptions): Promise<void>;
  /** Reloads whenever a config file, the settings or the approvals change. The answer stops it, and so does `close()`. */
  watch(): () => void;
  /** Ends one connection, or everything. */
  close(server?: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
