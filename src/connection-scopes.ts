import type { SharedLists } from "./catalog/index.ts";
import type { Connection, ServerRelay } from "./connection/index.ts";
import { type CatalogKind, HostError } from "./model/index.ts";
import type { Workspace } from "./operations/index.ts";
import type { CatalogCache, CatalogKey } from "./state/index.ts";
import { createConnections, type HostParts, type OwnedWorkspace } from "./wire-workspace.ts";

/** Identifies one set of connections. Their servers see one client with these capabilities. */
export interface ScopeOptions {
  /** Identifies the client capabilities that are announced to servers. Lists are cached per identity, because servers offer different lists. */
  readonly capabilities: string;
  readonly relay: ServerRelay;
  readonly lists: SharedLists;
  /** The idle time after which servers stop, unless their entry sets another. */
  readonly idleStopMs: number;
  onListChanged(server: string, kind: CatalogKind): void;
  /** Called with every new connection. */
  onConnection(connection: Connection): void;
  /** Called when the state of a server's connection changed. */
  onState(server: string): void;
}

/** A workspace with its own connections. */
export interface ConnectionScope {
  readonly workspace: Workspace;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** Creates a workspace with its own connections, announced with the capabilities of a gateway's client. */
export function createConnectionScope(
  parts: HostParts,
  owned: OwnedWorkspace,
  options: ScopeOptions,
): ConnectionScope {
  const { workspace: shared, owner } = owned;
  const { relay, lists, idleStopMs, onListChanged } = options;
  const connections = createConnections(parts, {
    ...owner,
    workspace: () => workspace,
    cache: cacheFor(owner.cache, options.capabilities),
    lists,
    ...(relay.passOn && { passOn: relay.passOn }),
    idleStopMs,
    closedError: () => new HostError("HOST_CLOSED", "This connection is closed."),
    events: {
      ...owner.events,
      publish(event) {
        if (event.type === "catalog.changed") onListChanged(event.server, event.kind);
        else owner.events.publish(event);
      },
    },
    onState(server) {
      owner.onChange(); // not published, because the host's own connection has its own state
      options.onState(server);
    },
  });
  const workspace: Workspace = {
    ...shared,
    borrow: undefined, // a gateway runs its servers itself
    ...connections,
    subscriptions: {
      ...connections.subscriptions,
      follow(connection) {
        options.onConnection(connection);
        connections.subscriptions.follow(connection);
      },
    },
    people: { ...shared.people, relay },
    toolsChanged: () => {}, // reported by `onListChanged`
  };
  const close = async (server?: string): Promise<void> => {
    await Promise.all([connections.supervisor.close(server), connections.accounts.close(server)]);
  };
  const member = { close, isInUse: () => connections.supervisor.inUse().length > 0 };
  owned.scopes.add(member); // a change of the entry, the sign-in or the approval closes these connections, too
  return {
    workspace,
    async close() {
      owned.scopes.delete(member);
      await close();
    },
  };
}

/** Keeps the lists that servers offer to clients with these capabilities apart from all others. */
function cacheFor(cache: CatalogCache, capabilities: string): CatalogCache {
  const keyOf = ({ fingerprint, account }: CatalogKey): CatalogKey => ({
    fingerprint,
    account: `${account}\0${capabilities}`,
  });
  return {
    read: (key) => cache.read(keyOf(key)),
    write: (key, content, tools) => cache.write(keyOf(key), content, tools),
    remove: (key) => cache.remove(keyOf(key)),
  };
}
