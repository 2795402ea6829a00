import { dirname, isAbsolute, join } from "node:path";
import { Access, createTrustedProxies, networkOf, type TrustedProxies } from "../access/index.ts";
import { openHost } from "../host.ts";
import type { Host, HostOptions } from "../host-api.ts";
import { sourceOf } from "../host-source.ts";
import { HostError, messageOf, type Problem, Redactor } from "../model/index.ts";
import type { Workspace } from "../operations/index.ts";
import type { Ports, RunningListener, TlsFiles } from "../platform/index.ts";
import { loadProcessUse, nodeListener, openPeers } from "../platform/node/index.ts";
import type { ServingOptions } from "../serving/index.ts";
import { Cluster, DRAIN_TIMES } from "./cluster/cluster.ts";
import type { NodeTimes } from "./cluster/cluster-node.ts";
import { guardedProcesses } from "./cluster/guarded-processes.ts";
import { createGauges } from "./gauges.ts";
import { watchHealth } from "./health.ts";
import { answerInternal, hasToken, type Internals } from "./internal-http.ts";
import { Metrics } from "./metrics.ts";
import { openTeamStore } from "./open-team-store.ts";
import { createCallInbox } from "./pages/call-inbox.ts";
import { TeamPages } from "./pages/team-pages.ts";
import { PeopleServings } from "./people-servings.ts";
import { PolicySource } from "./policy-source.ts";
import { loadTeamConfig, readAddress, type TeamConfig } from "./team-config.ts";
import { createPeerHandler, createTeamHandler, type TeamHttp } from "./team-http.ts";
import { createLimits } from "./team-limits.ts";
import { watchConfig } from "./watch-config.ts";

/** The largest body of a request, in bytes. */
const BODY_BYTES = 4 * 1024 * 1024;

/** Options of a team's gateway. */
export interface TeamGatewayOptions {
  /** The path of `gateway.jsonc`. */
  readonly configFile: string;
  readonly host?: Pick<HostOptions, "cwd" | "home" | "env" | "ports" | "log">;
  /** Where to listen, instead of the address in the file. */
  readonly address?: string;
  /** Called with the config before anything listens. Throws if the gateway must not start. */
  check?(config: TeamConfig): void;
  /** How tools are offered. Default: all of them, directly. */
  readonly offer?: Pick<ServingOptions, "mode" | "mostTools" | "waitMs">;
  /** Times of the node in a cluster, which tests make smaller. */
  readonly nodeTimes?: Partial<NodeTimes>;
  /** Called after the config file changed and was read again, with its problems. */
  readonly onReload?: (problems: readonly string[]) => void;
}

/** A running gateway of a team. */
export interface TeamGateway {
  /** The address of the endpoint with all servers. */
  readonly url: string;
  /** Where the gateway listens: host:port. */
  readonly address: string;
  /** Where the metrics and health checks are. */
  readonly internalAddress?: string;
  /** This gateway among those of the team, if there are several. */
  readonly cluster?: Cluster;
  /** Problems of single servers. The others work. */
  readonly problems: readonly Problem[];
  /** Resolves when all requests so far are recorded. */
  saved(): Promise<void>;
  /** Hands all sessions over to the other gateways and lets running calls end. Does nothing if there is only one gateway. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the gateway of a team. Rejects if the config is wrong, before it listens. */
export async function startTeamGateway({
  configFile,
  host: given = {},
  offer = {},
  address,
  check,
  onReload,
  nodeTimes = {},
}: TeamGatewayOptions): Promise<TeamGateway> {
  const earlyRedactor = new Redactor(); // until the host has one
  const { ports: bare, environment, places } = sourceOf(given, [], earlyRedactor);
  const load = async (): Promise<TeamConfig> => {
    const loaded = await loadTeamConfig(configFile, bare.files, environment);
    return address === undefined
      ? loaded
      : { ...loaded, listen: { ...loaded.listen, ...readAddress(address) } };
  };
  let cluster: Cluster | undefined;
  let config = await load();
  check?.(config);
  const folder = dirname(config.file);
  for (const secret of config.secrets) earlyRedactor.add(secret);
  const store = await openTeamStore(config, { ports: bare, places, environment, isGateway: true });
  const { host, workspace, openPrincipal } = await openTeamHost(
    {
      ...given,
      ...(store.stores && { stores: store.stores }),
      ...(config.cluster && {
        ports: {
          ...given.ports,
          processes: guardedProcesses(bare.processes, () => cluster?.node.mayServe() ?? true),
        },
      }),
    },
    folder,
    () => config,
  ).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { ports, redactor } = workspace;
  for (const secret of config.secrets) redactor.add(secret);
  const { clock, log } = ports;
  const access = new Access(config.access, { store: store.team, http: ports.http, clock, log });
  const processUse = await loadProcessUse();
  const health = watchHealth(clock);
  const limits = createLimits(
    () => config,
    clock,
    () => cluster?.node.liveCount ?? 1,
  );
  const policy = new PolicySource(store.team, ports, () => void people.rightsChanged());
  const gauges = createGauges({
    people: () => people,
    waiting: () => limits.requests.waiting,
    lagMs: health.lagMs,
    store,
    cluster: () => cluster,
    processUse,
  });
  const metrics = new Metrics(gauges, { hasTools: config.toolLabel });
  const audit = {
    add(entry: Parameters<typeof metrics.observe>[0]): void {
      metrics.observe(entry);
      store.audit.add(entry);
    },
    mustRefuse: () => store.audit.mustRefuse?.() ?? false,
  };
  const isFull = (): boolean => {
    const { heapBytes, heapLimitBytes } = processUse();
    return heapBytes > (heapLimitBytes * config.limits.memoryPercent) / 100;
  };
  const inbox = createCallInbox(store.team, clock, () => config.publicUrl);
  const people = new PeopleServings(openPrincipal, {
    clock,
    listener: nodeListener,
    team: { requestLimits: limits.requests, serverLimits: limits.servers, audit, inbox, isFull },
    signInPagesOf: (person) => pages.serverSignIns.for(person),
    clusterOf: (person) => cluster?.for(person),
    offer: { ...offer, limits: { sessions: config.limits.sessions } },
  });
  const pages = new TeamPages({
    access,
    opened: store,
    policy,
    people: () => people,
    ports: { clock, log, http: ports.http },
    servers: () => config.managed.declarations.map(({ name }) => name),
    bundles: () => config.managed.bundles,
    async subjects() {
      return (await people.all()).flatMap(({ serving }) => serving.subjects());
    },
    publicUrl: () => config.publicUrl,
    signIn: () => config.signIn,
    policySource: () => config.policySource,
    async forward(request, response, node) {
      const address = proxies.clientOf(request.address, request.headers["x-forwarded-for"]) ?? "unknown";
      const exchange = { request, response, address, headers: {}, person: "" };
      const passed = { ...exchange, isForwarded: false, usesPrograms: false };
      return (await cluster?.router.forward(passed, node, "")) ?? false;
    },
    sees(person, server) {
      const token = { id: "", expiresAt: Number.POSITIVE_INFINITY, granted: [] };
      return policy.for({ ...access.describe(person), token, scopes: {} }).sees(server);
    },
  });
  policy.configure(config.policy);
  await policy.refresh();
  let proxies: TrustedProxies = createTrustedProxies(config.listen.trustedProxies);
  let isStarted = false;
  let isDraining = false;
  const internals: Internals = {
    isLive: health.isLive,
    isReady: () => isStarted && !isDraining && store.isReady() && (cluster?.node.mayServe() ?? true),
    isStarted: () => isStarted,
    metrics: () => metrics.toText(),
  };
  const team: TeamHttp = {
    config: () => config,
    proxies: () => proxies,
    bundles: () => config.managed.bundles,
    anonymous: () => limits.anonymous(),
    access,
    policy,
    people,
    router: () => cluster?.router,
    isFull,
    pages(request, response, { path, address: from }) {
      if (pages.owns(path)) {
        const limit = pages.isSignIn(path) ? limits.pages() : limits.morePages();
        if (limit.take(networkOf(from)) > 0) response.send(429, { "retry-after": "10" });
        else void pages.handle(request, response, path);
        return true;
      }
      const { metricsToken } = config;
      const isAllowed = metricsToken !== undefined && hasToken(request, metricsToken);
      return isAllowed && answerInternal(request, response, internals);
    },
  };

  const listeners: RunningListener[] = [];
  let stopWatching = (): void => {};
  const close = async (): Promise<void> => {
    isDraining = true;
    stopWatching();
    for (const listener of listeners) listener.stopAccepting?.();
    await cluster?.leave();
    await people.close();
    await cluster?.close();
    await Promise.all(listeners.map((listener) => listener.close()));
    policy.close();
    access.directory.close();
    health.close();
    await host.close();
    await store.close();
  };
  const drain = async (): Promise<void> => {
    isDraining = true;
    await cluster?.drain(
      { ...DRAIN_TIMES, ...config.cluster?.drain },
      {
        detach: (session) => people.detach(session),
        endStreams: () => people.endStreams(),
        end: (person) => people.close(person),
        running: (person) => limits.requests.running(person),
        stopAccepting: () => listeners[0]?.stopAccepting?.(),
      },
    );
  };
  try {
    const { listen, internal } = config;
    const tls = listen.tls && (await readTls(ports, folder, listen.tls));
    if (config.cluster !== undefined && store.shared !== undefined)
      cluster = await Cluster.open({
        id: store.node,
        config: config.cluster,
        store: store.shared,
        peers: await openPeers(),
        clock,
        log,
        bodyBytes: BODY_BYTES,
        times: nodeTimes,
        serve: createPeerHandler(team),
        forget: (session) => people.forget(session),
        end: (person) => people.close(person),
        take: (person) => limits.rate.take(person),
        onNodes: () => limits.configure(),
      });
    const handle = createTeamHandler(team);
    const running = await nodeListener.listen({ host: listen.host, port: listen.port, tls }, handle);
    listeners.push(running);
    const inside =
      internal &&
      (await nodeListener.listen(internal, (request, response) => {
        if (!answerInternal(request, response, internals)) response.send(404, {});
      }));
    if (inside !== undefined) listeners.push(inside);
    isStarted = true;
    stopWatching = watchConfig({
      ports,
      files: () => filesOf(config, folder),
      async onChange() {
        try {
          const next = await load();
          for (const secret of next.secrets) redactor.add(secret);
          // Everything that can be invalid comes first, so that an invalid file changes nothing.
          const trusted = createTrustedProxies(next.listen.trustedProxies);
          if (next.listen.tls !== undefined) running.setTls?.(await readTls(ports, folder, next.listen.tls));
          const { listen: before } = config;
          config = { ...next, listen: { ...next.listen, host: before.host, port: before.port } };
          proxies = trusted;
          access.configure(config.access);
          limits.configure();
          policy.configure(config.policy);
          await host.reload();
          onReload?.(config.problems.map(({ message }) => message));
        } catch (error) {
          log.log("error", "config.invalid", { error: messageOf(error) });
          onReload?.(messageOf(error).split("\n"));
        }
      },
    });
    return {
      url: `${config.publicUrl}/mcp`,
      address: toAddress(listen.host, running.port),
      ...(internal && inside && { internalAddress: toAddress(internal.host, inside.port) }),
      ...(cluster && { cluster }),
      problems: config.problems,
      saved: () => store.audit.saved(),
      drain,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a host that knows only the config file's servers: neither projects nor the operator's own files. */
async function openTeamHost(
  given: Pick<HostOptions, "cwd" | "home" | "env" | "ports" | "log" | "stores">,
  folder: string,
  config: () => TeamConfig,
) {
  let workspace: Workspace | undefined;
  let openPrincipal:
    | Parameters<NonNullable<Parameters<typeof openHost>[2]>["onPrincipals"] & {}>[0]
    | undefined;
  const host: Host = await openHost(
    { ...given, cwd: folder, discover: false, eager: false, interaction: "forbid" },
    [],
    {
      managed: () => config().managed,
      onWorkspace: (own) => {
        workspace = own;
      },
      onPrincipals: (open) => {
        openPrincipal = open;
      },
    },
  );
  if (workspace === undefined || openPrincipal === undefined)
    throw new HostError("INTERNAL_BUG", "The host has no workspace.");
  return { host, workspace, openPrincipal };
}

function toAddress(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function readTls({ files }: Ports, folder: string, { cert, key }: TlsFiles): Promise<TlsFiles> {
  const read = async (name: string): Promise<string> => {
    const path = isAbsolute(name) ? name : join(folder, name);
    const bytes = await files.read(path);
    if (bytes === undefined) throw new HostError("CONFIG_INVALID", `${path} does not exist.`);
    return new TextDecoder().decode(bytes);
  };
  return { cert: await read(cert), key: await read(key) };
}

function filesOf({ file, listen: { tls } }: TeamConfig, folder: string): readonly string[] {
  const named = tls === undefined ? [] : [tls.cert, tls.key];
  return [file, ...named.map((name) => (isAbsolute(name) ? name : join(folder, name)))];
}
