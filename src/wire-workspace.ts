import { type Auth, createAuth } from "./auth/index.ts";
import { createCatalogs, createResourceSubscriptions, type SharedLists } from "./catalog/index.ts";
import {
  announcedCapabilities,
  type ConcurrencyLimit,
  type ConnectionState,
  createSupervisor,
  type OpeningStage,
  type Recorder,
  type Replay,
  type ServerRelay,
  type SupervisorOptions,
} from "./connection/index.ts";
import { findWhere } from "./discovery/index.ts";
import type { HostOptions } from "./host-api.ts";
import type { HostSource } from "./host-source.ts";
import type { EventHub, HostError, Redactor } from "./model/index.ts";
import {
  catalogSubject,
  createAccountConnections,
  createKnownTools,
  createPeople,
  createServerValues,
  createToolPins,
  createToolUsage,
  describeConnection,
  handlersFor,
  logState,
  openServer,
  otherToolNames,
  pinPolicyOf,
  providersFor,
  reportPrivateAddress,
  type Workspace,
  wrapHandlers,
} from "./operations/index.ts";
import { type Ports, settledWithin } from "./platform/index.ts";
import type { ToolsListener } from "./session/index.ts";
import {
  type Artifacts,
  type AuditFiles,
  type CatalogCache,
  createArtifacts,
  createAuditFiles,
  createProgramArtifacts,
  createServerLogs,
  createTaskFiles,
  createUsageFile,
  type Eras,
  NO_ARTIFACTS,
  type OwnPaths,
  principalPaths,
  type Records,
  type ToolNameRecords,
  withoutNewPins,
} from "./state/index.ts";
import { createValueCommands } from "./values/index.ts";

/** Runs a start of a server process when there is room for it. */
export type AdmitProcess = <T>(server: string, signal: AbortSignal, start: () => Promise<T>) => Promise<T>;

/** How long closing waits for the program's stores and transports, which may never settle. */
const CLOSE_MS = 20_000;

/** The parts that exist once per host. None of them stores anything about a person. */
export interface HostParts {
  readonly options: HostOptions;
  readonly source: HostSource;
  readonly isLogged: boolean;
  readonly recorder: Recorder | undefined;
  readonly replay: Replay | undefined;
  readonly calls: Workspace["calls"];
  /** The audit log of a team. Default: files. */
  readonly audit?: AuditFiles | undefined;
  readonly eras: Eras;
  readonly nameRecords: ToolNameRecords;
  readonly commands: ReturnType<typeof createValueCommands>;
  /** Limits how many processes start at the same time, for all principals together. */
  readonly withProcessTurn: ConcurrencyLimit;
  /** Waits until another server process may start, and starts it. */
  readonly admit: AdmitProcess | undefined;
  readonly closeSignal: AbortSignal;
  onListenerError(error: unknown): void;
}

/** The person that a workspace belongs to: the host's own user, or a principal. */
export interface Owner extends Pick<Workspace, "inventory" | "readAgain" | "reload"> {
  /** Not set for the host's own user. */
  readonly principal?: string;
  /** The log masks the owner's secrets. */
  readonly ports: Ports;
  readonly redactor: Redactor;
  readonly events: EventHub;
  readonly records: Records;
  readonly cache: CatalogCache;
  /** The idle time after which servers stop, unless their entry sets another. */
  readonly idleStopMs?: number;
  /** Called when the state of a server or a list changed. */
  onChange(): void;
}

/** A workspace with what must be closed and notified. */
export interface OwnedWorkspace {
  readonly owner: Owner;
  readonly workspace: Workspace;
  /** The owner's open sessions. */
  readonly sessions: Set<ToolsListener>;
  /** The connections that only one session uses. */
  readonly scopes: Set<SessionConnections>;
  /** Closes the connections to one server, or all of them, and waits for writes. */
  close(server?: string): Promise<void>;
}

/** The connections of one session. */
export interface SessionConnections {
  close(server?: string): Promise<void>;
  isInUse(): boolean;
}

/** The owner of a set of connections. */
export interface ConnectionOwner
  extends Pick<Owner, "ports" | "redactor" | "events" | "cache" | "idleStopMs" | "inventory"> {
  readonly workspace: () => Workspace;
  /** How a gateway keeps lists: as servers sent them, and equal ones once. */
  readonly lists?: SharedLists;
  /** Changes or drops the items of lists, for a gateway. */
  readonly passOn?: ServerRelay["passOn"];
  /** The error for callers after these connections were closed. Default: the host is closed. */
  readonly closedError?: () => HostError;
  onState(server: string, state: ConnectionState): void;
  onChange(): void;
}

/** Connections, and the lists that are read through them. */
export type Connections = Pick<Workspace, "supervisor" | "catalogs" | "subscriptions" | "accounts">;

/** Creates connections and the lists that are read through them. */
export function createConnections(parts: HostParts, owner: ConnectionOwner): Connections {
  const { workspace, ports, redactor, events, inventory } = owner;
  const { later } = parts.source;
  const subscriptions = createResourceSubscriptions({
    clock: ports.clock,
    onListenerError: parts.onListenerError,
    dropsNothing: owner.lists !== undefined, // for a gateway
  });
  // A remote server that hangs must not delay the servers of other principals, so only processes share a limit.
  const { admit = (_server, _signal, start) => start() } = parts;
  const open: SupervisorOptions["open"] = (name, signal, stage) =>
    inventory().servers.get(name)?.transport === "stdio"
      ? admit(name, signal, () =>
          parts.withProcessTurn(signal, (outside) => {
            const outsideTurn: OpeningStage["outsideTurn"] = (work) => stage.outsideTurn(() => outside(work));
            return openServer(workspace(), name, { signal, stage: { ...stage, outsideTurn } });
          }),
        )
      : openServer(workspace(), name, { signal, stage }); // policy → values → connection
  const supervisor = createSupervisor({
    open,
    clock: ports.clock,
    parallelStarts: () => inventory().settings.parallelStarts,
    ...(owner.closedError && { closedError: owner.closedError }),
    idleStopMs: (name) => inventory().servers.get(name)?.idleStopMs ?? owner.idleStopMs,
    isListenedTo: (name) => subscriptions.has(name),
    onState(server, state) {
      logState(ports.log, server, state);
      owner.onState(server, state);
    },
  });
  const catalogs = createCatalogs({
    cache: owner.cache,
    later,
    clock: ports.clock,
    ttlMs: inventory().settings.toolsTtlMs,
    connect: supervisor.connect,
    mask: () => redactor.maskLongValues(),
    redact: (text) => redactor.redact(text),
    ...(owner.lists && { verbatim: true, lists: owner.lists, passOn: owner.passOn }),
    onChange(server, kind, revision) {
      owner.onChange();
      events.publish({ type: "catalog.changed", server, kind, revision });
      if (kind === "tools") workspace().toolsChanged(server);
    },
  });
  const accounts = createAccountConnections((name, account, signal) =>
    openServer(workspace(), name, { signal, account }),
  );
  return { supervisor, catalogs, subscriptions, accounts };
}

/** Wires all modules of `src/` together for one owner. Everything that depends on a person is created here, never shared. */
export function wireWorkspace(parts: HostParts, owner: Owner): OwnedWorkspace {
  const { options, source, closeSignal } = parts;
  const { ports, redactor, events, records, inventory } = owner;
  const { principal } = owner;
  const { environment, places, later } = source;
  const ownPlaces = principalPaths(places, principal ?? "");
  const { vault, secrets } = records;
  const sessions = new Set<ToolsListener>();
  const scopes = new Set<SessionConnections>();
  const connections = createConnections(parts, {
    ...owner,
    workspace: () => workspace,
    onState(server, state) {
      owner.onChange();
      events.publish({ type: "server.state", server, ...describeConnection(state) });
    },
  });
  const { supervisor, accounts } = connections;
  const closeScopes = (server?: string): Promise<unknown> =>
    Promise.all(Array.from(scopes, (scope) => scope.close(server)));
  let auth: Promise<Auth> | undefined;
  const borrow = borrowFor(parts, owner, () => workspace.people);
  const workspace: Workspace = {
    principal,
    ports,
    environment,
    places,
    trustProject: source.trustProject,
    options: {
      eager: options.eager !== false,
      serverLogLevel: options.serverLogLevel,
      isLogged: parts.isLogged,
      recorder: parts.recorder,
      replay: parts.replay,
    },
    stores: {
      vault,
      secrets,
      approvals: records.approvals,
      allowedCalls: records.allowedCalls,
      eras: parts.eras,
      serverLogs: createServerLogs(ports, ownPlaces),
      audit: parts.audit ?? createAuditFiles(ports, ownPlaces),
      tasks: createTaskFiles(ports, ownPlaces),
      artifacts: artifactsFor(owner, ownPlaces, options.artifacts),
    },
    ...(borrow && { borrow }),
    ...connections,
    // A change of the entry, the sign-in or the approval ends the connections of sessions, too.
    supervisor: {
      ...supervisor,
      close: async (server) => void (await Promise.all([supervisor.close(server), closeScopes(server)])),
    },
    tools: createKnownTools(
      parts.nameRecords,
      events,
      createToolUsage({
        file: createUsageFile(ports, ownPlaces),
        later,
        key: `usage ${ownPlaces.state}`,
        isOn: () => inventory().settings.learnFromUse && parts.replay === undefined,
      }),
    ), // bridge
    pins: createToolPins({
      records: parts.replay === undefined ? records.pins : withoutNewPins(records.pins),
      clock: ports.clock,
      later,
      fingerprintOf: (server) => catalogSubject(server).fingerprint,
      namesOfOthers: (server) => otherToolNames(workspace, server),
      policyOf: (server) => pinPolicyOf(server, inventory().approvals, environment),
    }),
    people: createPeople(wrapHandlers(() => workspace, handlersFor(options, principal))),
    events,
    calls: parts.calls,
    toolsChanged(server) {
      const open = Array.from(sessions); // a listener may open a new session, which does not need this change
      events.publish({ type: "tools.changed", server });
      for (const session of open) session.toolsChanged(server);
    },
    redactor,
    values: createServerValues({ commands: parts.commands, secret: (name) => secrets.get(name) }),
    auth() {
      // An OAuth client belongs to this program, not to a person.
      const clients = principal === undefined ? vault : source.recordsOf().vault;
      auth ??= createAuth({ ports, vault, clients, redactor, onInsideAddress: reportPrivateAddress(events) });
      return auth;
    },
    authProvider: providersFor(options.authProvidersById ?? {}, principal),
    closeSignal,
    inventory,
    projectFolders: async () => (await findWhere(ports.files, environment, places)).projectFolders,
    readAgain: owner.readAgain,
    reload: owner.reload,
  };
  const closeAll = async (server: string | undefined): Promise<void> => {
    await Promise.all([workspace.supervisor.close(server), accounts.close(server), later.done()]);
    await Promise.all([later.done(), auth?.then((mine) => mine.settled())]); // writes that closing caused
  };
  return {
    owner,
    workspace,
    sessions,
    scopes,
    async close(server) {
      let isClosed = false;
      const closing = closeAll(server).finally(() => {
        isClosed = true;
      });
      await settledWithin(ports.clock, CLOSE_MS, closing);
      if (isClosed) return closing;
      ports.log.log("warn", "close.incomplete", {
        ...(server !== undefined && { server }),
        afterMs: CLOSE_MS,
      });
    },
  };
}

/** Returns how to borrow servers from the daemon. A principal's servers are never shared with others. */
function borrowFor(
  { options: { daemon = "off" }, replay }: HostParts,
  { principal, inventory }: Owner,
  people: () => Workspace["people"],
): Workspace["borrow"] {
  if (daemon === "off" || principal !== undefined || replay !== undefined) return undefined;
  return async (server, launch, signal, environment) => {
    const { handlers } = people();
    if (handlers.roots !== undefined) return undefined; // roots decide what a server may touch
    const { borrowServer } = await import("./borrow-server.lazy.ts");
    const capabilities = announcedCapabilities(handlers).modern;
    const { daemon: setting } = inventory().settings;
    return borrowServer({ server, launch, capabilities, environment, mode: daemon, setting, signal });
  };
}

/** Decides where media and long text in results are saved. */
function artifactsFor(
  { ports, inventory, principal }: Owner,
  places: OwnPaths,
  artifacts: HostOptions["artifacts"],
): Artifacts {
  if (artifacts === false) return NO_ARTIFACTS;
  if (typeof artifacts === "function") return createProgramArtifacts(ports, artifacts, principal);
  return createArtifacts(ports, places, () => inventory().settings.artifactsBytes);
}
