import { ToolNames } from "./bridge/index.ts";
import { createConcurrencyLimit } from "./connection/index.ts";
import { type ConnectionScope, createConnectionScope, type ScopeOptions } from "./connection-scopes.ts";
import type { Discovery } from "./discovery/index.ts";
import type { Host, HostOptions } from "./host-api.ts";
import { checkSessionOptions, toolListsOf } from "./host-options.ts";
import { openRecording } from "./host-recording.ts";
import { sourceOf } from "./host-source.ts";
import {
  createEventHub,
  HostError,
  messageOf,
  PROGRAM_NAME,
  Redactor,
  type ServerDeclaration,
  type WaitOptions,
} from "./model/index.ts";
import {
  callTool,
  chooseSlots,
  connectAll,
  connectToServer,
  createApprovals,
  createConfig,
  createConversations,
  createDoctor,
  createPins,
  createPrompts,
  createRegistry,
  createResources,
  createSandbox,
  createSecrets,
  createSessionFunctions,
  createSignIns,
  createSupply,
  createTasks,
  describeServers,
  type HostScope,
  type Inventory,
  isMetaServer,
  listAllTools,
  listInstructions,
  listServerTools,
  logEvent,
  logInventory,
  missingTools,
  offerTools,
  programProblems,
  programServers,
  readInventory,
  reloadServers,
  searchTools,
  startEager,
  unlessCancelled,
  type Workspace,
} from "./operations/index.ts";
import { principalHost } from "./principal-host.ts";
import { createPrincipals } from "./principals.ts";
import { createSession, type Session } from "./session/index.ts";
import { createSessionScope, type SessionScope } from "./session-scope.ts";
import {
  type AuditFiles,
  createEras,
  createTemporaryToolNames,
  createToolNameRecords,
  NO_CATALOG_CACHE,
} from "./state/index.ts";
import { readToolsArguments, type ToolsArguments } from "./tools-arguments.ts";
import { withToolTypes } from "./typed-calls.ts";
import { createValueCommands } from "./values/index.ts";
import { type AdmitProcess, type HostParts, wireWorkspace } from "./wire-workspace.ts";

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
  /** Waits until another server process may start. */
  readonly admit?: AdmitProcess | undefined;
  /** Where a gateway records requests. Default: files. */
  readonly audit?: AuditFiles | undefined;
  /** Returns what an administrator declares, instead of all config files and settings. */
  managed?(): Discovery;
  /** Called with the workspace, for operations that the host does not have. `openScope` creates one with its own connections. */
  onWorkspace?(workspace: Workspace, openScope: (options: ScopeOptions) => ConnectionScope, host: Host): void;
  /** Called with a function that returns the workspace of a principal. */
  onPrincipals?(open: OpenPrincipal): void;
}

/** A principal's workspace. It is kept as long as `person` is. */
export interface OpenedPrincipal {
  readonly workspace: Workspace;
  readonly person: object;
  openScope(options: ScopeOptions): ConnectionScope;
}

/** Returns the workspace of a principal. */
export type OpenPrincipal = (principal: string) => Promise<OpenedPrincipal>;

/** Wires all modules of `src/` together. Each method of the host is one operation. */
export async function openHost(
  options: HostOptions,
  given: readonly ServerDeclaration[],
  { diskCache = true, admit, audit, managed, onWorkspace, onPrincipals }: OpenOptions = {},
): Promise<Host> {
  const redactor = new Redactor();
  const source = { ...sourceOf(options, given, redactor), ...(managed && { managed }) }; // platform, state
  const { ports, environment, places, trustProject, later } = source;
  const isLogged = (options.log ?? options.ports?.log) !== undefined;
  const read = async (): Promise<Inventory> => {
    const found = await readInventory(source);
    if (isLogged) logInventory(ports.log, found, trustProject);
    return found;
  };
  let inventory = await read(); // config → discovery → inventory
  let revision = 1;
  let calls = 0;
  const closing = new AbortController(); // fires when the host is closed
  const { signal: closeSignal } = closing; // every use of the getter costs time
  let lastReading: Promise<unknown> = Promise.resolve();

  const onListenerError = (error: unknown): void =>
    ports.log.log("error", "listener.failed", { error: messageOf(error) });
  const events = createEventHub(onListenerError);
  // Events of principals are logged by their own workspaces, which know their secrets.
  if (isLogged)
    events.subscribe((event) => {
      if (event.principal === undefined) logEvent(ports.log, event);
    });
  const { recorder, replay } = await openRecording(options, {
    ports,
    environment,
    redactor,
    onProblem: (problem) => workspace.tools.problems.add(problem),
  });
  const parts: HostParts = {
    options,
    source,
    isLogged,
    recorder,
    replay,
    audit,
    eras: createEras(ports, places, later),
    nameRecords: replay === undefined ? createToolNameRecords(ports, places) : createTemporaryToolNames(),
    commands: createValueCommands(ports, environment, closing.signal),
    admit,
    withProcessTurn: createConcurrencyLimit(() => inventory.settings.parallelStarts),
    calls: {
      middleware: [...(options.middleware ?? [])],
      isObserved: events.hasListeners,
      nextId: () => ++calls,
    },
    closeSignal: closing.signal,
    onListenerError,
  };
  const records = source.recordsOf();
  const owned = wireWorkspace(parts, {
    ports,
    redactor,
    events,
    records,
    cache: diskCache && (recorder ?? replay) === undefined ? records.catalogs : NO_CATALOG_CACHE,
    inventory: () => inventory,
    onChange: () => void (revision += 1),
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
    async reload(reloadOptions) {
      await reloadServers(workspace, reloadOptions);
      await principals.reload(reloadOptions);
    },
  });
  const { workspace } = owned;

  const throwRedacted = (error: unknown): never => {
    redactor.redactError(error);
    throw error;
  };
  const whileOpen: HostScope["whileOpen"] = (operation, options) =>
    closeSignal.aborted
      ? Promise.reject(new HostError("HOST_CLOSED", "This host is closed."))
      : unlessCancelled(options?.signal, operation).catch(throwRedacted);
  const scope: HostScope = { workspace, whileOpen };
  const principals = createPrincipals({ parts, events, whileOpen, declared: () => inventory.declared });
  /** Runs an operation for a principal, or for the host's own user. */
  const runFor = <T>(
    principal: string | undefined,
    operation: (workspace: Workspace) => Promise<T>,
    options?: WaitOptions,
  ): Promise<T> => {
    if (principal === undefined) return whileOpen(() => operation(workspace), options);
    return whileOpen(async () => {
      const person = principals.of(principal);
      return person.whileOpen(() => operation(person.workspace));
    }, options);
  };
  const sessionNames = new WeakMap<Session, ToolNames>();
  const sessionScopes = new WeakMap<Session, SessionScope>();

  const host: Host = {
    servers: ({ all = false } = {}) => describeServers(workspace, all),
    snapshot: () => ({
      revision,
      servers: describeServers(workspace, false),
      problems: [...inventory.problems, ...programProblems(workspace), ...workspace.tools.problems.all()],
      missing: missingTools(workspace),
    }),
    subscribe: events.subscribe,
    tools: (...given: ToolsArguments) => {
      const { server, options } = readToolsArguments(given);
      const { refresh = false, account, connect = true, principal, waitMs, signal } = options;
      return runFor(
        principal,
        (own) => {
          if (server === undefined) return listAllTools(own, { refresh, connect, waitMs });
          return connect
            ? listServerTools(own, server, { refresh, account, waitMs })
            : listAllTools(own, { servers: [server], connect });
        },
        { signal },
      );
    },
    search: (query, { principal, ...searchOptions } = {}) =>
      runFor(principal, (own) => searchTools(own, query, searchOptions), searchOptions),
    forgetUsage: ({ principal, signal } = {}) =>
      runFor(principal, (own) => own.tools.usage.forget(), { signal }),
    call: withToolTypes((server, tool, args = {}, callOptions = {}) =>
      callOptions.principal === undefined
        ? whileOpen(() => callTool(workspace, server, tool, args, callOptions))
        : runFor(callOptions.principal, (own) => callTool(own, server, tool, args, callOptions)),
    ),
    session(sessionOptions = {}) {
      checkSessionOptions(sessionOptions);
      const { principal, headers, continues, tools: given } = sessionOptions;
      const person = principal === undefined ? { ...scope, owned } : principals.of(principal);
      const { naming, toolTokens, toolSlots } = inventory.settings;
      const style = sessionOptions.naming ?? naming;
      const before = continues && sessionScopes.get(continues);
      const earlier = before?.owned === person.owned && continues ? sessionNames.get(continues) : undefined;
      // Each session has its own names. They never change, and the next session does not reuse a name that several tools share.
      const names = earlier?.style === style ? earlier : new ToolNames(style);
      const functions = given && createSessionFunctions(person.workspace, given, names);
      const sessionScope = before?.retain(person.owned, headers)
        ? before
        : createSessionScope(parts, person.owned, headers);
      const { workspace: own } = sessionScope;
      const { usage } = own.tools;
      const lists = toolListsOf(sessionOptions);
      const named = sessionOptions.servers?.filter(
        (server) => functions === undefined || server !== PROGRAM_NAME,
      );
      const wanted = { ...sessionOptions, lists, names, functions, session: (): Session => session };
      const session: Session = createSession(
        {
          tools: ({ waitMs, signal } = {}) =>
            person.whileOpen(
              async () => {
                await usage.load();
                return listAllTools(own, { ...wanted, waitMs });
              },
              { signal },
            ),
          missing: () => missingTools(own, named),
          offers: offerTools(own, wanted.offers ?? [], wanted),
          tokenBudget: toolTokens,
          memory: usage.memoryOf(names),
          slots: {
            most: toolSlots,
            choose: (tools) => chooseSlots(tools, usage.counts(), toolSlots),
            onChosen: (ids) => usage.offered(names, ids),
          },
          isMeta: (server) => isMetaServer(own, wanted.bundles, server),
          register(listener) {
            const { sessions } = person.owned;
            sessions.add(listener);
            return () => {
              if (sessions.delete(listener)) sessionScope.release();
            };
          },
          instructions: (options) => person.whileOpen(() => listInstructions(own, wanted), options),
          onListenerError,
        },
        wanted,
      );
      sessionNames.set(session, names);
      sessionScopes.set(session, sessionScope);
      return session;
    },
    as: (principal) =>
      whileOpen(async () => {
        const person = principals.of(principal);
        return person.whileOpen(async () => principalHost(host, person));
      }),
    connect: (server, options = {}) => whileOpen(() => connectToServer(workspace, server, options)),
    connectAll: ({ timeoutMs, signal } = {}) => whileOpen(() => connectAll(workspace, timeoutMs), { signal }),
    reload: (reloadOptions) => whileOpen(() => workspace.reload(reloadOptions), reloadOptions),
    async close(server) {
      if (server === undefined) closing.abort();
      await Promise.all([owned.close(server), principals.close(server)]);
      await recorder?.done();
      if (server === undefined) ports.http.close();
    },
    [Symbol.asyncDispose]: () => host.close(),
    resources: createResources(scope),
    prompts: createPrompts(scope),
    approvals: createApprovals(scope),
    pins: createPins(scope),
    signIns: createSignIns(scope),
    secrets: createSecrets(scope),
    tasks: createTasks(scope),
    registry: createRegistry(scope),
    sandbox: createSandbox(scope),
    supply: createSupply(scope),
    conversations: createConversations(scope),
    config: createConfig(scope),
    doctor: createDoctor(scope, () => host.close()),
  };
  onWorkspace?.(workspace, (scopeOptions) => createConnectionScope(parts, owned, scopeOptions), host);
  onPrincipals?.((principal) =>
    whileOpen(async () => {
      const person = principals.of(principal);
      await person.whileOpen(async () => {}); // reads the approvals
      const { workspace, owned } = person;
      return { workspace, person, openScope: (scope) => createConnectionScope(parts, owned, scope) };
    }),
  );
  startEager(workspace, inventory.servers.keys());
  return host;
}
