import { createHash } from "node:crypto";
import type { Auth, OAuthProvider, ShowSignIn } from "../auth/index.ts";
import type { ToolFinder, ToolNames } from "../bridge/index.ts";
import type { CatalogSubject, Catalogs, ResourceSubscriptions } from "../catalog/index.ts";
import type { Supervisor } from "../connection/index.ts";
import type {
  CallRequest,
  Decision,
  EventHub,
  NamingStyle,
  Problem,
  QuestionHandlers,
  Redactor,
  Server,
  ServerLogLevel,
  ServerState,
} from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import { type ApprovalRequest, decideServer, type EnvFileNames, launchHash } from "../policy/index.ts";
import type { Artifacts, Eras, Places, ServerLogs, ToolNameRecords, Vault } from "../state/index.ts";
import type { ResolvedServer, ValueSources } from "../values/index.ts";
import type { ToolPins } from "./approvals/tool-pins.ts";
import type { AccountConnections } from "./lifecycle/account-connections.ts";
import type { Inventory } from "./lifecycle/read-inventory.ts";
import type { ToolProblems } from "./tools/tool-problems.ts";

export interface ReloadOptions {
  /** Ends every server, forgets every list, and connects again to what was in use. */
  readonly hard?: boolean;
  /** `false` connects to nothing afterwards. Default: to the changed servers that were in use, with `hard` to all that were. */
  readonly connect?: boolean;
}

/** The rooms as `host.ts` wired them; what every operation works with. */
export interface Workspace {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly places: Places;
  readonly supervisor: Supervisor;
  readonly catalogs: Catalogs;
  /** The names outside sessions, one set for each style. */
  readonly names: Readonly<Record<NamingStyle, ToolNames>>;
  /** Which tool each name stands for, in every process. */
  readonly nameRecords: ToolNameRecords;
  /** Who looks for tools: of one server, or of all. */
  readonly finders: Map<string | undefined, ToolFinder>;
  readonly toolProblems: ToolProblems;
  readonly artifacts: Artifacts;
  readonly pins: ToolPins;
  /** Asks a person for one call. */
  readonly askCall:
    | ((
        request: CallRequest,
        context: { readonly signal: AbortSignal | undefined },
      ) => boolean | Promise<boolean>)
    | undefined;
  readonly subscriptions: ResourceSubscriptions;
  readonly eras: Eras;
  /** What servers may ask of the program. */
  readonly handlers: QuestionHandlers;
  readonly serverLogLevel: ServerLogLevel | undefined;
  readonly events: EventHub;
  /** Publishes that a server's tools may have changed, and has every session read them again. */
  toolsChanged(server: string): void;
  readonly serverLogs: ServerLogs;
  readonly vault: Vault;
  /** Every secret that was met so far. */
  readonly redactor: Redactor;
  /** Where values come from that a config only names. */
  readonly valueSources: ValueSources;
  /** What was left out when a server was last started, by server. */
  readonly unresolvedValues: Map<string, readonly Problem[]>;
  readonly trustProject: boolean;
  /** Are servers started before their first use where their entries ask for it? */
  readonly eager: boolean;
  /** Is what this server says about its own tools believed? Left out, nobody's word is. */
  readonly trustsAnnotations?: (server: Server) => boolean;
  /** Asks a person, where there is one to ask. */
  readonly ask: ((request: ApprovalRequest) => boolean | Promise<boolean>) | undefined;
  /** Signing in; loaded by the first server that may need it. */
  auth(): Promise<Auth>;
  /** Shows a person where to sign in. */
  readonly onSignIn: ShowSignIn | undefined;
  /** Somebody is there, so that what needs a sign-in can wait for it. */
  readonly mayAskToSignIn: boolean;
  /** The program's own ways to sign in, by the id a config names. */
  readonly authProviders: Readonly<Record<string, OAuthProvider>>;
  readonly accounts: AccountConnections;
  /** Sign-ins under way, by server and account. */
  readonly signIns: Map<string, Promise<unknown>>;
  /** Servers with the values that were resolved when they were last opened, so that a sign-in does not resolve them again. */
  readonly resolvedServers: WeakMap<Server, ResolvedServer>;
  /** Fires when the host is closed. */
  readonly closeSignal: AbortSignal;
  /** The variables of `envFile`s that a person was shown and has not approved yet. */
  readonly shownEnvFiles: Map<string, EnvFileNames>;
  /** Questions that are not answered yet, by server. */
  readonly questions: Map<string, Promise<void>>;
  inventory(): Inventory;
  /** The working folder and its parents up to the root of the repository. */
  projectFolders(): Promise<readonly string[]>;
  /** Reads the files again; one reading after the other, so that the last one counts. */
  readAgain(): Promise<{ readonly before: Inventory; readonly after: Inventory }>;
  reload(options?: ReloadOptions): Promise<void>;
}

/** May this server run now? The one question on every path to a server. */
export function decide({ inventory, trustProject }: Workspace, server: Server): Decision {
  return decideServer(server, { approvals: inventory().approvals, trustProject });
}

/** What a person sees of a server's life: what the policy says, else what its connection is doing. */
export function stateOf(workspace: Workspace, server: Server): ServerState {
  const decision = decide(workspace, server);
  if (!decision.allowed) return { kind: decision.reason, because: decision.because };
  return workspace.supervisor.state(server.name) ?? { kind: "idle" };
}

/** The same launch in two projects can mean two programs: their lists are remembered apart. */
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
    ttlMs: server.toolsTtlMs,
  };
  subjects.set(server, subject);
  return subject;
}

/** A server never changes once it is read, and every call asks. */
const subjects = new WeakMap<Server, CatalogSubject>();
