import { createSharedLists, type SharedLists } from "../catalog/index.ts";
import type { ConnectionState } from "../connection/index.ts";
import type { Workspace } from "../operations/index.ts";
import { type HttpListener, nextTurn } from "../platform/index.ts";
import type { PolicySubject } from "../policy/index.ts";
import type { AuditFiles } from "../state/index.ts";
import type { CallInbox } from "./access/call-inbox.ts";
import type { SignInPages } from "./access/sign-in-pages.ts";
import { HttpEndpoints } from "./client/http-endpoints.ts";
import { createHttpServer, type HttpOptions, type HttpServer } from "./client/http-server.ts";
import { type Lent, lendServer, type WantedServer } from "./client/lend-server.ts";
import { SavedSessions } from "./client/saved-sessions.ts";
import { createStdioClient, type StdioClient, type StdioOptions } from "./client/stdio-client.ts";
import type { ServingCluster } from "./cluster/serving-cluster.ts";
import { createSharedRecords } from "./cluster/shared-records.ts";
import { createEndpoints, type ServingOptions } from "./endpoints.ts";
import { maskLog } from "./eras/mask-for-client.ts";
import type { GatewayContext } from "./gateway-context.ts";
import type { GuardedServer, ResourceLimits } from "./guard/resource-guard.ts";
import { DEFAULT_LIMITS, RequestLimits, type ServerLimits } from "./limits.ts";
import { ConnectTool } from "./merge/connect-tool.ts";
import { MetaMode } from "./merge/meta-mode.ts";
import { Offers } from "./merge/offers.ts";
import { createResourceAddresses, type ResourceAddresses } from "./names/resource-address.ts";
import { createDashboard } from "./pages/create-dashboard.ts";
import type { Dashboard } from "./pages/dashboard.ts";
import type { PageHost } from "./pages/page-host.ts";
import { AuditTrail } from "./record/audit.ts";
import { GatewayRecords } from "./record/gateway-records.ts";
import { ClientSubscriptions } from "./relay/client-subscriptions.ts";
import { ClientTasks } from "./relay/client-tasks.ts";
import { Listeners } from "./relay/listeners.ts";
import { LogLevels } from "./relay/log-levels.ts";
import { SavedClientTasks } from "./relay/saved-client-tasks.ts";
import { createRequestStates } from "./server-requests/request-state.ts";
import { SuspendedCalls } from "./server-requests/suspended-calls.ts";
import { knownSubjects } from "./upstream/known-subjects.ts";
import { type UpstreamOptions, Upstreams } from "./upstream/upstreams.ts";

/** Some clients read lists only once, so the first list waits for servers that are starting. */
const LIST_WAIT_MS = 2_000;

/** What the host provides to the gateway. */
export interface ServingSource {
  readonly workspace: Workspace;
  readonly openScope: UpstreamOptions["openScope"];
  readonly listener: HttpListener;
  /** The host that the dashboard shows, and the folder with its files. A gateway of several people has no such dashboard. */
  readonly pages?: { readonly host: PageHost; readonly folder: string };
  /** Set for a gateway of several people: what its people share, and what differs from a user's own gateway. */
  readonly team?: ServingTeam;
  /** Set if several gateways serve the same people. */
  readonly cluster?: ServingCluster | undefined;
  /** Where the person of the workspace signs in to servers. */
  readonly signInPages?: SignInPages;
}

/** What the people of a gateway share. None of it depends on a person. */
export interface ServingTeam {
  readonly lists: SharedLists;
  readonly requestLimits: RequestLimits;
  readonly serverLimits: ServerLimits;
  readonly audit: Pick<AuditFiles, "add" | "mustRefuse">;
  readonly inbox: CallInbox;
  /** Returns whether new sessions are refused because memory is low. */
  isFull(): boolean;
}

/** Offers the servers of one workspace to clients. */
export interface Serving {
  /** Serves a client on a pipe. `offer` replaces what is offered by default. */
  serveStdio(
    write: (line: string) => void,
    offer?: ServingOptions,
    about?: Omit<StdioOptions, "isPiped">,
  ): StdioClient;
  /** Serves clients over HTTP, and the dashboard. `offer` replaces what is offered by default. */
  serveHttp(options: HttpOptions, offer?: ServingOptions): Promise<HttpServer>;
  /** Opens the dashboard on its own port, unless it is already open. */
  openDashboard(): Promise<Dashboard>;
  /** Returns the HTTP endpoints, for requests whose sender is known. */
  endpoints(): HttpEndpoints;
  /** Ends the streams of modern clients, which then open them at another gateway. */
  endStreams(): void;
  /** Notifies clients that what they may see has changed. */
  rightsChanged(): void;
  /** Returns how many calls wait for a client's answers. */
  suspendedCalls(): number;
  /** Returns the states of all connections to servers. */
  connectionStates(): readonly ConnectionState[];
  /** Returns the known tools, resources and prompts of the servers, as rules see them. Starts no server. */
  subjects(): readonly PolicySubject[];
  /** Passes the connection to one server on to another process of the user. Rejects with `LAUNCH_DIFFERS` if it was started differently. */
  lend(wanted: WantedServer, write: (line: string) => void): Promise<Lent>;
  /** Returns the names of the servers that are running or being started. */
  running(): readonly string[];
  /** Returns the running server processes. */
  processes(): readonly GuardedServer[];
  /** Returns the limits for all server processes together. */
  resourceLimits(): ResourceLimits;
  close(): Promise<void>;
}

/** Creates the serving side of a gateway. Throws if an option names an unknown server or bundle. */
export function createServing(
  { workspace, openScope, listener, pages, team, cluster, signInPages }: ServingSource,
  options: ServingOptions,
): Serving {
  const { clock } = workspace.ports;
  const findEndpoint = createEndpoints(workspace, options);
  const listeners = new Listeners();
  const tasks = new ClientTasks(
    clock,
    workspace.redactor,
    new SavedClientTasks(workspace, cluster),
    cluster?.node,
  );
  const logLevels = new LogLevels(workspace.options.serverLogLevel);
  const upstreams = new Upstreams({
    workspace,
    lists: team?.lists ?? createSharedLists(),
    openScope,
    onListChanged(server, kind) {
      listeners.listChanged(server, kind);
      records.changed("lists");
    },
    onNotification(scope, server, method, params, origin) {
      if (method === "notifications/tasks/status") tasks.relayStatus(scope, server, params);
      if (method !== "notifications/message") return;
      const call = upstreams.callOf(scope, server, origin);
      logLevels.relay(scope, server, maskLog(workspace.redactor, params), call);
    },
    onConnection: (scope, connection) => logLevels.connected(scope, connection),
    onState: (server) => records.stateChanged(server),
  });
  const records = new GatewayRecords({
    workspace,
    connectionStates: (server) => upstreams.statesOf(server),
  });
  const onLate = (server: string): void => {
    const isGone = !workspace.inventory().servers.has(server);
    for (const kind of ["tools", "resources", "prompts"] as const)
      listeners.listChanged(server, kind, { isGone });
  };
  const suspended = new SuspendedCalls(clock);
  const closing = new AbortController();
  const ending = new AbortController();
  const { waitMs = LIST_WAIT_MS } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const context: GatewayContext = {
    workspace,
    upstreams,
    offers: new Offers({ workspace, upstreams, waitMs, onLate }),
    metaMode: new MetaMode(() => workspace.inventory().settings.toolTokens),
    connectTool: new ConnectTool(workspace, onLate, signInPages),
    signInPages,
    inbox: team?.inbox,
    states: createRequestStates(clock, cluster),
    cluster,
    suspended,
    listeners,
    subscriptions: new ClientSubscriptions(),
    logLevels,
    tasks,
    waitMs,
    limits,
    isFull: () => team?.isFull() ?? false,
    isLocal: team === undefined,
    requestLimits: team?.requestLimits ?? new RequestLimits(limits),
    serverLimits: team?.serverLimits,
    audit: new AuditTrail(team?.audit ?? workspace.stores.audit, workspace, (entry) => records.ended(entry)),
    records,
    addresses: createAddresses(workspace),
    closing: closing.signal,
    ending: AbortSignal.any([closing.signal, ending.signal]),
  };
  const stopListening = workspace.events.subscribe((event) => {
    // A reload, an approval or a review of pins changed what a server offers. Each kind is reported, because the lists are not compared.
    if (event.type === "tools.changed") onLate(event.server);
  });
  const endpoint = findEndpoint("/mcp");
  const servers = new Set<HttpServer>();
  const dashboard =
    pages &&
    createDashboard({
      context,
      host: pages.host,
      listener,
      pageFolder: pages.folder,
      httpServers: () => [...servers],
    });
  const served = new Set<HttpEndpoints>();
  const clients = new Set<StdioClient>();
  return {
    serveStdio(write, offer, about) {
      const wanted = offer === undefined ? endpoint : createEndpoints(workspace, offer)("/mcp");
      if (wanted === undefined) throw new TypeError("The endpoint of all servers always exists.");
      const client = createStdioClient(context, wanted, write, { ...about, isPiped: offer !== undefined });
      clients.add(client);
      return {
        receive: (line) => client.receive(line),
        async end() {
          clients.delete(client);
          await client.end();
        },
      };
    },
    lend: (wanted, write) => lendServer(context, wanted, write),
    async serveHttp(http, offer) {
      const find = offer === undefined ? findEndpoint : createEndpoints(workspace, offer);
      const opened = await createHttpServer(context, { listener, findEndpoint: find, dashboard }, http);
      const server: HttpServer = {
        ...opened,
        async close() {
          servers.delete(server);
          await opened.close();
        },
      };
      servers.add(server);
      return server;
    },
    async openDashboard() {
      if (dashboard === undefined) throw new TypeError("This gateway has no dashboard.");
      return dashboard.open();
    },
    endpoints() {
      const created = new HttpEndpoints(context, findEndpoint, {
        saved: cluster === undefined ? SavedSessions.unsaved(context) : createSharedRecords(context, cluster),
        address: () => "",
      });
      served.add(created);
      return created;
    },
    endStreams: () => ending.abort(),
    rightsChanged: () => listeners.rightsChanged(),
    suspendedCalls: () => suspended.size,
    connectionStates: () =>
      Array.from(workspace.inventory().servers.keys()).flatMap((server) => upstreams.statesOf(server)),
    subjects: () => knownSubjects(workspace, upstreams),
    running: () => upstreams.running(),
    processes: () => upstreams.processes(),
    resourceLimits: () => workspace.inventory().settings,
    async close() {
      closing.abort();
      stopListening();
      await dashboard?.close();
      await nextTurn(); // streams announce their end
      suspended.end();
      await Promise.all(Array.from(servers, (server) => server.close()));
      await Promise.all(Array.from(served, (endpoints) => endpoints.close()));
      await Promise.all(Array.from(clients, (client) => client.end()));
      await upstreams.close();
      await workspace.stores.audit.saved();
    },
  };
}

/** Recomputes addresses when the servers change. */
function createAddresses({ inventory }: Workspace): () => ResourceAddresses {
  let servers: ReadonlyMap<string, unknown> | undefined;
  let known = createResourceAddresses([]);
  return () => {
    const current = inventory().servers;
    if (current !== servers) known = createResourceAddresses([...current.keys()]);
    servers = current;
    return known;
  };
}
