import {
  acceptClient,
  changedVariables,
  DAEMON_PROTOCOL,
  type DaemonPaths,
  type Hello,
} from "./daemon/index.ts";
import type { DaemonWorkspaces } from "./daemon-workspaces.ts";
import { HostError, isHostError, type JsonObject, messageOf } from "./model/index.ts";
import type { Environment, LocalSocket, Ports } from "./platform/index.ts";

/** More clients at once are refused. */
const MOST_CLIENTS = 512;
/** A client that does not read is disconnected if more than this is queued for it. */
const MOST_UNREAD = 16 * 1024 * 1024;

/** A running daemon. */
export interface RunningDaemon {
  readonly ports: Ports;
  readonly paths: DaemonPaths;
  readonly key: string;
  readonly workspaces: DaemonWorkspaces;
  readonly clients: Set<ConnectedClient>;
  readonly startedAt: number;
  readonly version: string;
  /** The environment variables of the daemon's own process. */
  readonly variables: Environment["variables"];
  /** Whether a newer version has taken over. */
  isDraining(): boolean;
  /** Called when a client connects or disconnects. */
  onClients(): void;
  stop(reason: string): Promise<void>;
  /** Accepts no new clients, and ends when the current ones disconnect. */
  drain(): Promise<void>;
}

export interface ConnectedClient {
  readonly socket: LocalSocket;
  readonly purpose: Hello["purpose"]["kind"];
  readonly cwd: string;
}

/** Answered with one line. */
type Question = Exclude<Hello["purpose"]["kind"], Lasting>;
/** Purposes of clients that stay connected. */
type Lasting = "mcp" | "connection" | "listen";

const QUESTIONS: Readonly<Record<Question, (running: RunningDaemon, hello: Hello) => Promise<JsonObject>>> = {
  status: async (running, hello) => statusOf(running, hello),
  ps: listServers,
  http: openHttp,
  async stop({ ports, stop }) {
    void stop("stopped");
    return { ok: true, pid: ports.processes.ownPid };
  },
  async drain({ ports, drain }) {
    await drain();
    return { ok: true, pid: ports.processes.ownPid };
  },
};

/** Serves one client until it disconnects. */
export async function serveClient(running: RunningDaemon, socket: LocalSocket): Promise<void> {
  const { clients, ports, key, onClients } = running;
  const hello = await acceptClient(socket, key, ports.clock);
  if (hello === undefined) return;
  const { purpose, cwd } = hello;
  const client: ConnectedClient = { socket, purpose: purpose.kind, cwd };
  clients.add(client);
  onClients();
  try {
    assertAccepted(running, hello);
    if (isLasting(purpose.kind)) await serveWorkspace(running, socket, hello);
    else socket.send(JSON.stringify(await QUESTIONS[purpose.kind](running, hello)));
  } catch (error) {
    socket.send(JSON.stringify({ error: toJson(error) }));
  }
  socket.close();
  await socket.ended;
  clients.delete(client);
  onClients();
}

/** Returns whether clients with this purpose stay connected. */
export function isLasting(kind: Hello["purpose"]["kind"]): kind is Lasting {
  return kind === "mcp" || kind === "connection" || kind === "listen";
}

/** Throws if a client cannot use this daemon. */
function assertAccepted({ clients, variables, version, isDraining }: RunningDaemon, hello: Hello): void {
  const { kind } = hello.purpose;
  if (!isLasting(kind) && kind !== "http") return;
  if (isDraining())
    throw new HostError("DAEMON_REFUSED", `A newer version replaces the daemon of version ${version}.`);
  if (clients.size > MOST_CLIENTS)
    throw new HostError("DAEMON_REFUSED", `The daemon has ${MOST_CLIENTS} clients, and takes no more.`);
  if (kind === "connection") return; // only for local servers, which get the client's own variables
  const changed = changedVariables(variables, hello.variables);
  if (changed.length > 0)
    throw new HostError(
      "DAEMON_REFUSED",
      `The daemon was started with other values of ${changed.join(", ")}, which a process reads only once.`,
      { hint: "To use the new values: plugboard daemon restart" },
    );
}

/** Serves an MCP conversation or lends a server, until the client disconnects. */
async function serveWorkspace(
  { workspaces }: RunningDaemon,
  socket: LocalSocket,
  hello: Hello,
): Promise<void> {
  const { purpose } = hello;
  const { workspace, release } = await workspaces.use(hello);
  const { serving } = workspace.opened;
  const write = (line: string): void => {
    if (socket.send(line.trimEnd()) > MOST_UNREAD) socket.close();
  };
  try {
    if (purpose.kind === "connection") {
      const { era, client } = await serving.lend(purpose, write);
      socket.send(JSON.stringify({ ok: true, era }));
      socket.onLine((line) => client.receive(line));
      await socket.ended;
      await client.end();
    } else if (purpose.kind === "listen") {
      const { host, port, offer } = purpose;
      const server = await serving.serveHttp({ host, port }, { ...offer });
      const { url, tokenFile } = server;
      socket.send(JSON.stringify({ ok: true, url, tokenFile }));
      await socket.ended;
      await server.close();
    } else if (purpose.kind === "mcp") {
      const client = serving.serveStdio(
        write,
        { ...purpose.offer },
        { id: purpose.client, disconnect: () => socket.close() },
      );
      socket.send(JSON.stringify({ ok: true }));
      socket.onLine((line) => {
        if (line.trim() !== "") client.receive(line);
      });
      await socket.ended;
      await client.end();
    }
  } finally {
    release();
  }
}

/** Opens the HTTP server of a client's folder. It stays open after the client, while it is used. */
async function openHttp({ workspaces }: RunningDaemon, hello: Hello): Promise<JsonObject> {
  const { workspace, release } = await workspaces.use(hello);
  try {
    const { url, token, tokenFile } = await workspace.http();
    return { ok: true, url, token, tokenFile };
  } finally {
    release();
  }
}

/** Returns the running servers, with the memory and processor time that they use. */
async function listServers({ workspaces, ports: { clock } }: RunningDaemon): Promise<JsonObject> {
  const now = clock.now();
  const { totalBytes, events } = workspaces.guard;
  const servers = (await workspaces.measure()).map(({ usage, load, usedAt, pid, limitMb, ...server }) => ({
    server: server.server,
    pid: pid ?? null,
    folder: server.cwd,
    share: server.share,
    clients: server.clients,
    calls: server.busy,
    idleMs: server.busy > 0 ? 0 : Math.max(0, now - usedAt),
    memoryBytes: usage?.memoryBytes ?? null,
    limitBytes: limitMb * 1024 * 1024,
    cpuMs: usage?.cpuMs ?? null,
    load: load ?? null,
    processes: usage?.processes ?? null,
  }));
  const limitBytes = Number.isFinite(totalBytes) ? totalBytes : null;
  return { ok: true, limitBytes, servers, events: events.map((event) => ({ ...event })) };
}

function toJson(error: unknown): JsonObject {
  if (!isHostError(error)) return { message: messageOf(error) };
  const { code, message, hint } = error;
  return { code, message, ...(hint !== undefined && { hint }) };
}

function statusOf(running: RunningDaemon, { variables }: Hello): JsonObject {
  const { ports, paths, workspaces, clients, startedAt, version } = running;
  return {
    ok: true,
    version,
    protocol: DAEMON_PROTOCOL,
    pid: ports.processes.ownPid,
    socket: paths.socket,
    startedAt,
    draining: running.isDraining(),
    changedVariables: changedVariables(running.variables, variables),
    clients: Array.from(clients, ({ purpose, cwd }) => ({ purpose, cwd })).filter(({ purpose }) =>
      isLasting(purpose),
    ),
    workspaces: workspaces.all().map((workspace) => ({
      cwd: workspace.cwd,
      servers: workspace.opened.serving.running(),
      otherVariables: workspace.otherVariables(variables),
    })),
  };
}
