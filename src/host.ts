import { type Auth, createAuth } from "./auth/index.ts";
import { ToolNames } from "./bridge/index.ts";
import { createCatalogs, createResourceSubscriptions } from "./catalog/index.ts";
import { createSupervisor } from "./connection/index.ts";
import { findWhere } from "./discovery/index.ts";
import type { Host, HostOptions } from "./host-api.ts";
import { openRecording } from "./host-recording.ts";
import { sourceOf } from "./host-source.ts";
import { createEventHub, HostError, messageOf, Redactor, type ServerDeclaration } from "./model/index.ts";
import {
  callTool,
  catalogSubject,
  connectAll,
  connectToServer,
  createAccountConnections,
  createApprovals,
  createConfig,
  createDoctor,
  createKnownTools,
  createPeople,
  createPins,
  createPrompts,
  createResources,
  createSecrets,
  createServerValues,
  createSessionFunctions,
  createSignIns,
  createToolPins,
  describeConnection,
  describeServers,
  type HostScope,
  type Inventory,
  isMetaServer,
  listAllTools,
  listInstructions,
  listServerTools,
  logEvent,
  logInventory,
  logState,
  offerTools,
  openServer,
  otherToolNames,
  pinPolicyOf,
  programServers,
  readInventory,
  reloadServers,
  reportPrivateAddress,
  searchTools,
  startEager,
  type Workspace,
} from "./operations/index.ts";
import { createSession, type Session, type ToolsListener } from "./session/index.ts";
import {
  createArtifacts,
  createEras,
  createServerLogs,
  createTemporaryToolNames,
  createToolNameRecords,
  NO_CATALOG_CACHE,
  withoutNewPins,
} from "./state/index.ts";
import { createValueCommands } from "./values/index.ts";

export function createHost(options: HostOptions = {}): Promise<Host> {
  return openHost(options, programServers(options.servers));
}

/** Reads the servers in the same way as a host. Starts nothing. */
export function readServers(options: HostOptions): Promise<Inventory> {
  return readInventory(sourceOf(options, programServers(options.servers), new Redactor()));
}

/** Options that only this package's own modules set. */
export interface OpenOptions {
  /** `true` caches lists on disk. Default: `true`. */
  readonly diskCache?: boolean;
  /** Called with the workspace, for operations that the host does not have. */
  onWorkspace?(workspace: Workspace): void;
}

/** Wires all modules of `src/` together. Each method of the host is one operation. */
export async function openHost(
  options: HostOptions,
  given: readonly ServerDeclaration[],
  { diskCache = true, onWorkspace }: OpenOptions = {},
): Promise<Host> {
  const redactor = new Redactor();
  const source = sourceOf(options, given, redactor); // platform, state
  const { ports, environment, places, trustProject, later } = source;
  const records = source.recordsOf();
  const isLogged = (options.log ?? options.ports?.log) !== undefined;
  const read = async (): Promise<Inventory> => {
    const found = await readInventory(source);
    if (isLogged) logInventory(ports.log, found, trustProject);
    return found;
  };
  let inventory = await read(); // config → discovery → inventory
  let revision = 1;
  const closing = new AbortController(); // fires when the host is closed
  let lastReading: Promise<unknown> = Promise.resolve();

  const onListenerError = (error: unknown): void =>
    ports.log.log("error", "listener.failed", { error: messageOf(error) });
  const events = createEventHub(onListenerError);
  if (isLogged) events.subscribe((event) => logEvent(ports.log, event));
  const sessions = new Set<ToolsListener>();
  const toolsChanged = (server: string): void => {
    const open = Array.from(sessions); // a listener may open a new session, which does not need this change
    events.publish({ type: "tools.changed", server });
    for (const session of open) session.toolsChanged(server);
  };
  const { vault, secrets } = records;
  let auth: Promise<Auth> | undefined;
  const supervisor = createSupervisor({
    open: (name, signal, stage) => openServer(workspace, name, { signal, stage }), // policy → values → connection
    clock: ports.clock,
    parallelStarts: () => inventory.settings.parallelStarts,
    idleStopMs: (name) => inventory.servers.get(name)?.idleStopMs,
    isListenedTo: (name) => subscriptions.has(name),
    onState(server, state) {
      revision += 1;
      logState(ports.log, server, state);
      events.publish({ type: "server.state", server, ...describeConnection(state) });
    },
  });
  const { recorder, replay } = await openRecording(options, {
    ports,
    environment,
    redactor,
    onProblem: (problem) => workspace.tools.problems.add(problem),
  });
  const catalogs = createCatalogs({
    cache: diskCache && (recorder ?? replay) === undefined ? records.catalogs : NO_CATALOG_CACHE,
    later,
    clock: ports.clock,
    ttlMs: inventory.settings.toolsTtlMs,
    connect: supervisor.connect,
    mask: () => redactor.maskLongValues(),
    redact: (text) => redactor.redact(text),
    onChange(server, kind, catalogRevision) {
      revision += 1;
      events.publish({ type: "catalog.changed", server, kind, revision: catalogRevision });
      if (kind === "tools") toolsChanged(server);
    },
  });
  const subscriptions = createResourceSubscriptions({ clock: ports.clock, onListenerError });
  const eras = createEras(ports, places, later);
  const workspace: Workspace = {
    ports,
    environment,
    places,
    supervisor,
    recorder,
    replay,
    catalogs,
    tools: createKnownTools(
      replay === undefined ? createToolNameRecords(ports, places) : createTemporaryToolNames(),
      events,
    ), // bridge
    pins: createToolPins({
      records: replay === undefined ? records.pins : withoutNewPins(records.pins),
      clock: ports.clock,
      later,
      fingerprintOf: (server) => catalogSubject(server).fingerprint,
      namesOfOthers: (server) => otherToolNames(workspace, server),
      policyOf: (server) => pinPolicyOf(server, inventory.approvals, environment),
    }),
    people: createPeople(options),
    artifacts: createArtifacts(ports, places, () => inventory.settings.artifactsBytes),
    subscriptions,
    eras,
    serverLogLevel: options.serverLogLevel,
    events,
    isLogged,
    toolsChanged,
    serverLogs: createServerLogs(ports, places),
    vault,
    secrets,
    approvals: records.approvals,
    redactor,
    values: createServerValues({
      commands: createValueCommands(ports, environment, closing.signal),
      secret: (name) => secrets.get(name),
    }),
    trustProject,
    eager: options.eager !== false,
    auth() {
      auth ??= createAuth({ ports, vault, redactor, onInsideAddress: reportPrivateAddress(events) });
      return auth;
    },
    authProviders: options.authProvidersById ?? {},
    accounts: createAccountConnections((name, account, signal) =>
      openServer(workspace, name, { signal, account }),
    ),
    closeSignal: closing.signal,
    inventory: () => inventory,
    projectFolders: async () => (await findWhere(ports.files, environment, places)).projectFolders,
    readAgain() {
      const reading = lastReading.then(async () => {
        const before = inventory;
        inventory = await read();
        revision += 1;
        return { before, after: inventory };
      });
      lastReading = reading.catch(() => undefined);
      return reading;
    },
    reload: (reloadOptions) => reloadServers(workspace, reloadOptions),
  };

  const whileOpen: HostScope["whileOpen"] = (operation) =>
    closing.signal.aborted
      ? Promise.reject(new HostError("HOST_CLOSED", "This host is closed."))
      : operation().catch((error: unknown) => {
          redactor.redactError(error);
          throw error;
        });
  const scope: HostScope = { workspace, whileOpen };
  const sessionNames = new WeakMap<Session, ToolNames>();

  const host: Host = {
    servers: ({ all = false } = {}) => describeServers(workspace, all),
    snapshot: () => ({
      revision,
      servers: describeServers(workspace, false),
      problems: [...inventory.problems, ...workspace.tools.problems.all()],
    }),
    subscribe: events.subscribe,
    tools: (server, { refresh = false, account, connect = true } = {}) =>
      whileOpen(() => {
        if (server === undefined) return listAllTools(workspace, { refresh, connect });
        return connect
          ? listServerTools(workspace, server, { refresh, account })
          : listAllTools(workspace, { servers: [server], connect });
      }),
    search: (query, searchOptions = {}) => whileOpen(() => searchTools(workspace, query, searchOptions)),
    call: (server, tool, args = {}, callOptions = {}) =>
      whileOpen(() => callTool(workspace, server, tool, args, callOptions)),
    session(sessionOptions = {}) {
      const { naming, toolTokens } = inventory.settings;
      const style = sessionOptions.naming ?? naming;
      const earlier = sessionOptions.continues && sessionNames.get(sessionOptions.continues);
      // Each session has its own names. They never change, and the next session does not reuse a name that several tools share.
      const names = earlier?.style === style ? earlier : new ToolNames(style);
      const { tools: given } = sessionOptions;
      const functions = given && createSessionFunctions(workspace, given, names);
      const wanted = { ...sessionOptions, names, functions };
      const session = createSession(
        {
          tools: () => whileOpen(() => listAllTools(workspace, wanted)),
          offers: offerTools(workspace, wanted.offers ?? [], wanted),
          tokenBudget: toolTokens,
          isMeta: (server) => isMetaServer(workspace, wanted.bundles, server),
          register(listener) {
            sessions.add(listener);
            return () => sessions.delete(listener);
          },
          instructions: () => listInstructions(workspace, wanted),
          onListenerError,
        },
        wanted,
      );
      sessionNames.set(session, names);
      return session;
    },
    connect: (server) => whileOpen(() => connectToServer(workspace, server)),
    connectAll: ({ timeoutMs } = {}) => whileOpen(() => connectAll(workspace, timeoutMs)),
    reload: (reloadOptions) => whileOpen(() => workspace.reload(reloadOptions)),
    async close(server) {
      if (server === undefined) closing.abort();
      await Promise.all([supervisor.close(server), workspace.accounts.close(server), later.done()]);
      await Promise.all([later.done(), recorder?.done(), auth?.then((mine) => mine.settled())]); // writes that closing caused
      if (server === undefined) ports.http.close();
    },
    [Symbol.asyncDispose]: () => host.close(),
    resources: createResources(scope),
    prompts: createPrompts(scope),
    approvals: createApprovals(scope),
    pins: createPins(scope),
    signIns: createSignIns(scope),
    secrets: createSecrets(scope),
    config: createConfig(scope),
    doctor: createDoctor(scope, () => host.close()),
  };
  onWorkspace?.(workspace);
  startEager(workspace, inventory.servers.keys());
  return host;
}
