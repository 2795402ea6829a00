import { createHash } from "node:crypto";
import type { Auth, OAuthProvider } from "../auth/index.ts";
import type { CatalogSubject, Catalogs, ResourceSubscriptions } from "../catalog/index.ts";
import type { BorrowedServer, Recorder, Replay, Supervisor } from "../connection/index.ts";
import type {
  Decision,
  EventHub,
  Redactor,
  Server,
  ServerLogLevel,
  ServerState,
  WaitOptions,
} from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import { decideServer, launchHash } from "../policy/index.ts";
import type { SessionHeaders } from "../session/index.ts";
import type {
  AllowedCallRecords,
  ApprovalRecords,
  Artifacts,
  AuditFiles,
  Eras,
  OwnPaths,
  SecretRecords,
  ServerLogs,
  TaskFiles,
  Vault,
} from "../state/index.ts";
import type { ToolPins } from "./approvals/tool-pins.ts";
import type { CallHooks } from "./calls/middleware.ts";
import { describeState } from "./describe/describe-state.ts";
import type { AccountConnections } from "./lifecycle/account-connections.ts";
import type { Inventory } from "./lifecycle/read-inventory.ts";
import type { ServerValues } from "./lifecycle/server-values.ts";
import type { People } from "./people.ts";
import type { KnownTools } from "./tools/known-tools.ts";

/** Options for `host.reload`. */
export interface ReloadOptions extends WaitOptions {
  /** `true` stops every server, discards all cached lists, and reconnects to the servers that were in use. Default: `false`. */
  readonly hard?: boolean;
  /** By default, reconnects servers that were in use and have changed. `hard` reconnects every server that was in use. `false` reconnects none. */
  readonly connect?: boolean;
}

/** What is stored for the person of a workspace, and where. */
export interface WorkspaceStores {
  readonly vault: Vault;
  readonly secrets: SecretRecords;
  readonly approvals: ApprovalRecords;
  readonly allowedCalls: AllowedCallRecords;
  readonly eras: Eras;
  readonly serverLogs: ServerLogs;
  /** The requests of the gateway's clients. */
  readonly audit: AuditFiles;
  /** The unfinished tasks of servers. */
  readonly tasks: TaskFiles;
  readonly artifacts: Artifacts;
}

/** The program's options that several operations depend on. */
export interface RunOptions {
  /** Whether to start servers with `eager: true` before their first use. */
  readonly eager: boolean;
  readonly serverLogLevel: ServerLogLevel | undefined;
  /** Whether the program reads the log. Without a reader, requests are not logged. */
  readonly isLogged: boolean;
  /** Records all exchanges with servers. Set if the program requests a recording. */
  readonly recorder: Recorder | undefined;
  /** Answers from a recording instead of starting or contacting servers. Set if the program replays one. */
  readonly replay: Replay | undefined;
}

/** The modules and shared state that every operation uses, as wired in `wire-workspace.ts`. */
export interface Workspace {
  /** The person that the workspace belongs to. `undefined` for the host's own user. */
  readonly principal: string | undefined;
  /** Headers that a session adds to the requests to its servers, by server. */
  readonly headers?: SessionHeaders;
  readonly ports: Ports;
  readonly environment: Environment;
  readonly places: OwnPaths;
  readonly trustProject: boolean;
  readonly options: RunOptions;
  readonly stores: WorkspaceStores;
  readonly supervisor: Supervisor;
  /** Returns a server that the user's daemon runs, if it was started in exactly this way. */
  readonly borrow?:
    | ((
        server: Server,
        launch: string,
        signal: AbortSignal,
        environment: Environment,
      ) => Promise<BorrowedServer | undefined>)
    | undefined;
  /** Whether servers' sandboxes record what they refuse. */
  readonly recordsSandbox?: boolean;
  readonly catalogs: Catalogs;
  readonly tools: KnownTools;
  readonly pins: ToolPins;
  /** The people whom the host can ask, and what they are being asked. */
  readonly people: People;
  readonly subscriptions: ResourceSubscriptions;
  readonly events: EventHub;
  /** The program's middleware, and whether it listens to calls. */
  readonly calls: CallHooks;
  /** Publishes that a server's tools may have changed, and makes every session read them again. */
  toolsChanged(server: string): void;
  /** All secrets seen so far. */
  readonly redactor: Redactor;
  readonly values: ServerValues;
  /** Loads the sign-in module at its first use. */
  auth(): Promise<Auth>;
  /** Returns the program's own OAuth provider with this `authProviderId`. */
  authProvider(id: string): OAuthProvider | undefined;
  readonly accounts: AccountConnections;
  /** Fires when the host is closed. */
  readonly closeSignal: AbortSignal;
  /** Returns the servers and settings of the last read. */
  inventory(): Inventory;
  /** Returns the working folder and its parents up to the repository's root. */
  projectFolders(): Promise<readonly string[]>;
  /** Reads the files again. Reads run one after the other, so that the last one wins. */
  readAgain(): Promise<{ readonly before: Inventory; readonly after: Inventory }>;
  reload(options?: ReloadOptions): Promise<void>;
}

/** Decides whether a server may run now. Every use of a server passes this check. */
export function decide({ inventory, trustProject }: Workspace, server: Server): Decision {
  return decideServer(server, { approvals: inventory().approvals, trustProject });
}

/** Returns the state to show: the policy's reason if the server may not run, else the state of its connection. */
export function stateOf(workspace: Workspace, server: Server): ServerState {
  return describeState(decide(workspace, server), workspace.supervisor.state(server.name));
}

/** Returns the key of a server's cached lists. It includes a project's file, because a launch can mean another program there. */
export function catalogSubject(server: Server): CatalogSubject {
  const known = subjects.get(server);
  if (known !== undefined) return known;
  const { tier, file } = server.provenance;
  const hash = launchHash(server);
  const fingerprint =
    tier === "project" ? createHash("sha256").update(`${hash}\0${file}`).digest("hex") : hash;
  const subject: CatalogSubject = {
    name: server.name,
    fingerprint,
    account: "",
    timeoutMs: server.timeoutMs,
    isCached: server.launch?.transport !== "in-process", // its tools are as new as the program
    ttlMs: server.toolsTtlMs,
  };
  subjects.set(server, subject);
  return subject;
}

/** Cached because every call needs it, and `Server` objects are immutable. */
const subjects = new WeakMap<Server, CatalogSubject>();
