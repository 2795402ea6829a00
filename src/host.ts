import { type Auth, createAuth } from "./auth/index.ts";
import { ToolNames } from "./bridge/index.ts";
import { createCatalogs, createResourceSubscriptions } from "./catalog/index.ts";
import { createSupervisor } from "./connection/index.ts";
import { findWhere } from "./discovery/index.ts";
import type { Host, HostOptions } from "./host-api.ts";
import { sourceOf } from "./host-source.ts";
import { checkNewName } from "./inventory/index.ts";
import {
  createEventHub,
  HostError,
  messageOf,
  Redactor,
  type ServerDeclaration,
  statusOf,
} from "./model/index.ts";
import {
  acceptPins,
  addServer,
  announceAddress,
  applyExport,
  approveServer,
  callTool,
  catalogSubject,
  checkPackages,
  checkPrograms,
  checkTools,
  checkValues,
  connectAll,
  connectToServer,
  createAccountConnections,
  createToolPins,
  createToolProblems,
  describeApproval,
  describeServers,
  diagnose,
  explainServer,
  findServer,
  type Inventory,
  importServers,
  inspectLaunch,
  isMetaServer,
  listAllTools,
  listApprovals,
  listInstructions,
  listSecrets,
  listServerTools,
  listSignIns,
  logState,
  measureTools,
  moveServer,
  namesOfOthers,
  offerTools,
  openServer,
  pinPolicyOf,
  planExport,
  planUninstall,
  previewCall,
  programServers,
  readInventory,
  readSecret,
  readServerLogs,
  reloadServers,
  removeSecret,
  removeServer,
  repairPackages,
  reviewPins,
  revokeApproval,
  searchTools,
  signInServer,
  signOutServer,
  startEager,
  stateOf,
  storeSecret,
  switchAccount,
  switchServer,
  testServer,
  uninstall,
  type Workspace,
  watchFiles,
  withOffers,
} from "./operations/index.ts";
import { isTrusted } from "./policy/index.ts";
import { createSession, type Session, type ToolsListener } from "./session/index.ts";
import {
  checkState,
  createArtifacts,
  createCatalogCache,
  createEras,
  createLaterWrites,
  createPinFiles,
  createServerLogs,
  createToolNameRecords,
  createVault,
  NO_CATALOG_CACHE,
} from "./state/index.ts";
import { createValueCommands } from "./values/index.ts";

export function createHost(options: HostOptions = {}): Promise<Host> {
  return openHost(options, programServers(options.servers));
}

/** Reads the servers as a host would. Starts nothing. */
export function readServers(options: HostOptions): Promise<Inventory> {
  return readInventory(sourceOf(options, programServers(options.servers), new Redactor()));
}

/** What only modules of this package can decide. */
export interface OpenOptions {
  /** Keep lists on disk, and answer from lists that are there. Default: `true`. */
  readonly diskCache?: boolean;
  /** Called with the workspace, for operations that the host does not have. */
  onWorkspace?(workspace: Workspace): void;
}

/** The whole product in reading order: each step is one room of `src/`, each method one operation. */
export async function openHost(
  options: HostOptions,
  given: readonly ServerDeclaration[],
  { diskCache = true, onWorkspace }: OpenOptions = {},
): Promise<Host> {
  const redactor = new Redactor();
  const source = sourceOf(options, given, redactor); // platform, state
  const { ports, environment, places, trustProject } = source;
  let inventory = await readInventory(source); // config → discovery → inventory
  let revision = 1;
  const over = new AbortController(); // fires when the host is closed
  const stops = new Set<() => void>();
  let lastReading: Promise<unknown> = Promise.resolve();

  const onListenerError = (error: unknown): void =>
    ports.log.log("error", "listener.failed", { error: messageOf(error) });
  const events = createEventHub(onListenerError);
  const sessions = new Set<ToolsListener>();
  const toolsChanged = (server: string): void => {
    const open = Array.from(sessions); // a listener may open another one, which has nothing to read again
    events.publish({ type: "tools.changed", server });
    for (const session of open) session.toolsChanged(server);
  };
  const vault = createVault(ports, places, environment);
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
      events.publish({ type: "server.state", server, state });
    },
  });
  const later = createLaterWrites(ports);
  const catalogs = createCatalogs({
    cache: diskCache ? createCatalogCache(ports, places, later) : NO_CATALOG_CACHE,
    later,
    clock: ports.clock,
    ttlMs: inventory.settings.toolsTtlMs,
    connect: supervisor.connect,
    mask: () => redactor.longMask(),
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
    catalogs,
    names: {
      plugboard: new ToolNames("plugboard"),
      seeds: new ToolNames("seeds"),
      claude: new ToolNames("claude"),
      plain: new ToolNames("plain"),
    }, // bridge
    nameRecords: createToolNameRecords(ports, places),
    finders: new Map(),
    toolProblems: createToolProblems(events),
    pins: createToolPins({
      files: createPinFiles(ports, places),
      clock: ports.clock,
      later,
      fingerprintOf: (server) => catalogSubject(server).fingerprint,
      namesOfOthers: (server) => namesOfOthers(workspace, server),
      policyOf: (server) => pinPolicyOf(server, inventory.approvals, environment),
    }),
    believes: isTrusted,
    askCall: options.interaction === "ask" ? options.onCall : undefined,
    artifacts: createArtifacts(ports, places, () => inventory.settings.artifactsBytes),
    subscriptions,
    eras,
    handlers: options,
    serverLogLevel: options.serverLogLevel,
    events,
    toolsChanged,
    serverLogs: createServerLogs(ports, places),
    vault,
    redactor,
    valueSources: {
      commands: createValueCommands(ports, environment, over.signal),
      secret: (name) => readSecret(vault, name),
    },
    leftOut: new Map(),
    trustProject,
    eager: options.eager !== false,
    ask: options.interaction === "ask" ? options.onApproval : undefined,
    auth() {
      auth ??= createAuth({ ports, vault, redactor, onInsideAddress: announceAddress(events) });
      return auth;
    },
    onSignIn: options.onSignIn,
    mayAskToSignIn: options.interaction === "ask" && options.onSignIn !== undefined,
    authProviders: options.authProvidersById ?? {},
    accounts: createAccountConnections((name, account, signal) =>
      openServer(workspace, name, { signal, account }),
    ),
    signIns: new Map(),
    resolvedServers: new WeakMap(),
    over: over.signal,
    shownEnvFiles: new Map(),
    questions: new Map(),
    inventory: () => inventory,
    projectFolders: async () => (await findWhere(ports.files, environment, places)).projectFolders,
    readAgain() {
      const reading = lastReading.then(async () => {
        const before = inventory;
        inventory = await readInventory(source);
        revision += 1;
        return { before, after: inventory };
      });
      lastReading = reading.catch(() => undefined);
      return reading;
    },
    reload: (reloadOptions) => reloadServers(workspace, reloadOptions),
  };

  const whileOpen = <T>(action: () => Promise<T>): Promise<T> =>
    over.signal.aborted
      ? Promise.reject(new HostError("HOST_CLOSED", "This host is closed."))
      : action().catch((error: unknown) => {
          redactor.clean(error);
          throw error;
        });
  const sessionNames = new WeakMap<Session, ToolNames>();

  const host: Host = {
    servers: ({ all = false } = {}) => describeServers(workspace, all),
    snapshot: () => ({
      revision,
      servers: describeServers(workspace, false),
      problems: [...inventory.problems, ...workspace.toolProblems.all()],
    }),
    settings: () => inventory.settings,
    status: () =>
      Object.fromEntries(
        [...inventory.servers.values()].map((server) => [server.name, statusOf(stateOf(workspace, server))]),
      ),
    subscribe: events.subscribe,
    tools: (server, { refresh = false, account, connect = true } = {}) =>
      whileOpen(() => {
        if (server === undefined) return listAllTools(workspace, { refresh, connect });
        return connect
          ? listServerTools(workspace, server, { refresh, account })
          : listAllTools(workspace, { servers: [server], connect });
      }),
    call: (server, tool, args = {}, callOptions = {}) =>
      whileOpen(() => callTool(workspace, server, tool, args, callOptions)),
    resources: (server, listOptions) =>
      whileOpen(() => withOffers((offers) => offers.listResources(workspace, { server, ...listOptions }))),
    resourceTemplates: (server, listOptions) =>
      whileOpen(() =>
        withOffers((offers) => offers.listResourceTemplates(workspace, { server, ...listOptions })),
      ),
    readResource: (server, uri, { signal } = {}) =>
      whileOpen(() => withOffers((offers) => offers.readResource(workspace, server, uri, signal))),
    subscribeResource: (server, uri, listener) =>
      whileOpen(() => withOffers((offers) => offers.subscribeResource(workspace, server, uri, listener))),
    prompts: (server, listOptions) =>
      whileOpen(() => withOffers((offers) => offers.listPrompts(workspace, { server, ...listOptions }))),
    getPrompt: (server, prompt, args = {}, { signal } = {}) =>
      whileOpen(() => withOffers((offers) => offers.getPrompt(workspace, server, prompt, args, signal))),
    complete: (server, ref, argument) =>
      whileOpen(() => withOffers((offers) => offers.completeArgument(workspace, server, ref, argument))),
    test: (server) => whileOpen(() => testServer(workspace, server)),
    connect: (server) => whileOpen(() => connectToServer(workspace, server)),
    login: (server, loginOptions) => whileOpen(() => signInServer(workspace, server, loginOptions)),
    logout: (server, { account } = {}) => whileOpen(() => signOutServer(workspace, server, account)),
    useAccount: (server, account) => whileOpen(() => switchAccount(workspace, server, account)),
    signIns: () => whileOpen(() => listSignIns(workspace)),
    secrets: () => whileOpen(() => listSecrets(vault)),
    readSecret: (name) => whileOpen(() => readSecret(vault, name)),
    storeSecret: (name, text) => whileOpen(() => storeSecret(vault, name, text)),
    removeSecret: (name) => whileOpen(() => removeSecret(vault, name)),
    checkPackages: (server) => whileOpen(() => checkPackages(workspace, server)),
    repairPackages: (server) => whileOpen(() => repairPackages(workspace, server)),
    checkPrograms: (server) => whileOpen(() => checkPrograms(workspace, server)),
    checkTools: (server) => whileOpen(() => checkTools(workspace, server)),
    checkVault: () => whileOpen(() => checkState(ports, environment, places, vault)),
    checkValues: (server) => whileOpen(() => checkValues(workspace, server)),
    connectAll: ({ timeoutMs } = {}) => whileOpen(() => connectAll(workspace, timeoutMs)),
    approval: (server) => describeApproval(workspace, server),
    approve: (server, hash) => whileOpen(() => approveServer(workspace, server, hash)),
    approvals: () => listApprovals(workspace),
    inspect: (server) => inspectLaunch(workspace, server),
    revoke: (server) => whileOpen(() => revokeApproval(workspace, server)),
    preview: (server, tool, args = {}) => whileOpen(() => previewCall(workspace, server, tool, args)),
    search: (query, searchOptions = {}) => whileOpen(() => searchTools(workspace, query, searchOptions)),
    budget: ({ connect = true } = {}) => whileOpen(() => measureTools(workspace, { connect })),
    pins: (server) => whileOpen(() => reviewPins(workspace, server)),
    acceptPins: (server, hash) => whileOpen(() => acceptPins(workspace, server, hash)),
    bundles: () => inventory.bundles,
    add: (request) => whileOpen(() => addServer(workspace, request)),
    checkName: checkNewName,
    remove: (server, scope) => whileOpen(() => removeServer(workspace, server, scope)),
    setEnabled: (server, enabled) => whileOpen(() => switchServer(workspace, server, enabled)),
    move: (server, scope) => whileOpen(() => moveServer(workspace, server, scope)),
    importFrom: (request) => whileOpen(() => importServers(workspace, request)),
    planExport: (request) => whileOpen(() => planExport(workspace, request)),
    applyExport: (plan) => whileOpen(() => applyExport(workspace, plan)),
    explain: (server) => explainServer(workspace, server),
    logs: (server, { lines } = {}) => readServerLogs(workspace, server, lines),
    diagnose: (server) =>
      diagnose(workspace, server === undefined ? undefined : findServer(workspace, server).name),
    openPage: (url) => whileOpen(async () => URL.canParse(url) && ports.browser.open(new URL(url))),
    planUninstall: (uninstallOptions = {}) => whileOpen(() => planUninstall(workspace, uninstallOptions)),
    uninstall: (plan) =>
      whileOpen(async () => {
        await host.close(); // it must not write again
        return uninstall(workspace, plan);
      }),
    session(sessionOptions = {}) {
      const { naming, toolTokens } = inventory.settings;
      const style = sessionOptions.naming ?? naming;
      const earlier = sessionOptions.continues && sessionNames.get(sessionOptions.continues);
      // Each session has its own names: they never move, and the next session gives a shared name to no tool.
      const names = earlier?.style === style ? earlier : new ToolNames(style);
      const wanted = { ...sessionOptions, names };
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
    reload: (reloadOptions) => whileOpen(() => workspace.reload(reloadOptions)),
    watch() {
      const stop = watchFiles(workspace);
      stops.add(stop);
      return stop;
    },
    async close(server) {
      if (server === undefined) {
        over.abort();
        for (const stop of stops) stop();
      }
      await Promise.all([supervisor.close(server), workspace.accounts.close(server), later.done()]);
      await Promise.all([later.done(), auth?.then((mine) => mine.settled())]); // what the last moments brought included
      if (server === undefined) ports.http.close();
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
  onWorkspace?.(workspace);
  startEager(workspace, inventory.servers.keys());
  return host;
}
