import type { Catalogs } from "./catalog/index.ts";
import type { Supervisor } from "./connection/index.ts";
import { canonicalJson, HostError } from "./model/index.ts";
import {
  checkSessionHeaders,
  createServerValues,
  isSessionOwned,
  type Workspace,
} from "./operations/index.ts";
import type { SessionHeaders } from "./session/index.ts";
import { NO_CATALOG_CACHE } from "./state/index.ts";
import {
  type Connections,
  createConnections,
  type HostParts,
  type OwnedWorkspace,
} from "./wire-workspace.ts";

/** The workspace of a session. It has its own connections to some servers and shares the others with its owner. */
export interface SessionScope {
  readonly owned: OwnedWorkspace;
  readonly workspace: Workspace;
  /** Keeps the connections open for another session with these headers. Returns whether that is possible. */
  retain(owned: OwnedWorkspace, headers: SessionHeaders | undefined): boolean;
  /** Ends the use by one session. The last one closes the connections. */
  release(): void;
}

/** Creates the workspace of a session. Throws if the headers are invalid. */
export function createSessionScope(
  parts: HostParts,
  owned: OwnedWorkspace,
  headers: SessionHeaders | undefined,
): SessionScope {
  const { workspace: shared, owner } = owned;
  if (headers !== undefined) checkSessionHeaders(shared, headers);
  let users = 1;
  let created: Connections | undefined;
  /** Most sessions share all connections, so their own are created on demand. */
  const own = (): Connections => {
    created ??= createConnections(parts, {
      ...owner,
      workspace: () => workspace,
      cache: headers === undefined ? owner.cache : NO_CATALOG_CACHE, // the server may offer other tools for other headers
      closedError: () => new HostError("HOST_CLOSED", "This session is closed."),
      onState: owner.onChange, // not published, because the owner's connection has its own state
    });
    if (users === 0) void created.supervisor.close();
    return created;
  };
  const isOwn = (server: string): boolean => isSessionOwned(workspace, server);
  const workspace: Workspace = {
    ...shared,
    borrow: undefined, // a session's own connections are not shared
    ...(headers && { headers }),
    tools: { ...shared.tools, finders: new Map() },
    values: createServerValues(shared.values.sources),
    supervisor: routeSupervisor(
      (server) => (isOwn(server) ? own().supervisor : shared.supervisor),
      () => created?.supervisor.inUse() ?? [],
      shared.supervisor,
    ),
    catalogs: routeCatalogs((server) => (isOwn(server) ? own().catalogs : shared.catalogs)),
    subscriptions: {
      ...shared.subscriptions,
      follow: (connection) => (isOwn(connection.server) ? own() : shared).subscriptions.follow(connection),
    },
    accounts: {
      connect: (server, account) => (isOwn(server) ? own() : shared).accounts.connect(server, account),
      isInUse: () => shared.accounts.isInUse(),
      close: (server) => shared.accounts.close(server), // the supervisor closes those of sessions
    },
  };
  const close = async (server?: string): Promise<void> => {
    await Promise.all([created?.supervisor.close(server), created?.accounts.close(server)]);
  };
  const isInUse = (): boolean =>
    created !== undefined && (created.supervisor.inUse().length > 0 || created.accounts.isInUse());
  const member = { close, isInUse };
  owned.scopes.add(member);
  return {
    owned,
    workspace,
    retain(by, wanted) {
      const isSame = by === owned && canonicalJson(wanted ?? null) === canonicalJson(headers ?? null);
      if (users === 0 || !isSame) return false;
      users += 1;
      return true;
    },
    release() {
      users -= 1;
      if (users === 0) void close().finally(() => owned.scopes.delete(member));
    },
  };
}

function routeSupervisor(
  of: (server: string) => Supervisor,
  inUse: () => readonly string[],
  shared: Supervisor,
): Supervisor {
  return {
    connect: (server) => of(server).connect(server),
    running: (server) => of(server).running(server),
    state: (server) => of(server).state(server),
    inUse: () => [...new Set([...inUse(), ...shared.inUse()])],
    uses: () => shared.uses(), // only gateways ask, which have no sessions
    restart: (server, why) => of(server).restart(server, why),
    giveUp: (server, error) => of(server).giveUp(server, error),
    close: (server) => shared.close(server), // which also closes those of sessions
  };
}

function routeCatalogs(of: (server: string) => Catalogs): Catalogs {
  return {
    inMemory: (subject) => of(subject.name).inMemory(subject),
    peek: (subject) => of(subject.name).peek(subject),
    current: (subject) => of(subject.name).current(subject),
    get: (subject) => of(subject.name).get(subject),
    refresh: (subject) => of(subject.name).refresh(subject),
    follow: (subject, connection) => of(subject.name).follow(subject, connection),
    problems: (server) => of(server).problems(server),
    forget: (subject) => of(subject.name).forget(subject),
  };
}
