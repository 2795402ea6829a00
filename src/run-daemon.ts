import { randomBytes } from "node:crypto";
import { connectToDaemon, type DaemonPaths, daemonPaths, type Hello, readKey } from "./daemon/index.ts";
import { type ConnectedClient, type RunningDaemon, serveClient } from "./daemon-clients.ts";
import { createDaemonWorkspaces } from "./daemon-workspaces.ts";
import { withFileLock } from "./documents/index.ts";
import { codeOf, HostError } from "./model/index.ts";
import type { Environment, LocalListener, LocalSockets, Ports } from "./platform/index.ts";
import { nodeEnvironment, nodeLocalSockets, nodePorts } from "./platform/node/index.ts";
import { findOwnPaths, guardOwnFiles } from "./state/index.ts";
import { VERSION } from "./version.ts";

/** A daemon without clients ends after this time. */
const IDLE_MS = 1_800_000;
/** How long calls may take to finish after the daemon was asked to stop. */
const DRAIN_MS = 10_000;
const MOST_CLIENTS = 512;

/** What a daemon runs on. Tests replace parts of it. */
export interface DaemonSettings {
  readonly environment?: Environment;
  readonly idleMs?: number;
  /** Gets what should be in the log. */
  print?(text: string): void;
}

/** A running daemon. */
export interface Daemon {
  /** Resolves when the daemon has ended, with the reason. */
  readonly ended: Promise<string>;
  /** Takes no new clients, lets calls finish, and ends. */
  stop(): Promise<void>;
}

/** Starts the user's daemon in this process. Resolves with `undefined` if one is running already. */
export async function runDaemon({
  environment = nodeEnvironment(),
  idleMs = IDLE_MS,
  print = () => {},
}: DaemonSettings = {}): Promise<Daemon | undefined> {
  const ports = nodePorts(undefined, environment.variables);
  const places = findOwnPaths(environment);
  const files = guardOwnFiles(ports, environment, places);
  const own = { ...ports, files };
  const paths = daemonPaths(places, environment, ports.processes.place ?? "");
  const sockets = nodeLocalSockets;
  await files.makeFolder(paths.folder, 0o700);
  if (paths.socketFolder !== undefined) await makePrivateFolder(own, environment, paths.socketFolder);
  const key = await createKey(own, paths);
  const clients = new Set<ConnectedClient>();
  const workspaces = createDaemonWorkspaces({
    clock: ports.clock,
    machineBytes: ports.processes.memoryBytes,
    onGuardEvent: ({ at, why }) => print(`${new Date(at).toISOString()} ${why}`),
  });
  const startedAt = ports.clock.now();
  let finish: (reason: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    finish = resolve;
  });
  let stopping: Promise<void> | undefined;
  const record = (event: "start" | "drain" | "end"): Promise<void> =>
    files.append(
      paths.runs,
      `${JSON.stringify({ event, at: ports.clock.now(), pid: ports.processes.ownPid, version: VERSION })}\n`,
      0o600,
    );
  const running: RunningDaemon = {
    ports: own,
    paths,
    key,
    workspaces,
    clients,
    startedAt,
    stop: (reason) => (stopping ??= end(reason)),
  };
  let stopTimer = (): void => {};
  const watchIdle = (): void => {
    stopTimer();
    if (clients.size === 0) stopTimer = ports.clock.after(idleMs, () => void endIfIdle());
  };
  const endIfIdle = async (): Promise<void> => {
    if (clients.size > 0 || workspaces.isUsedOverHttp()) watchIdle();
    else await running.stop("idle");
  };

  const listener = await withFileLock(own, paths.turn, async () => {
    if (await isRunning({ files, sockets, paths, ports })) return undefined;
    const listening = await sockets.listen(paths.socket, (socket) => {
      if (clients.size >= MOST_CLIENTS) return socket.close();
      void serveClient(running, socket, watchIdle);
    });
    await record("start");
    return listening;
  });
  if (listener === undefined) return undefined;
  watchIdle();

  async function end(reason: string): Promise<void> {
    stopTimer();
    await withFileLock(own, paths.turn, async () => {
      await (listener as LocalListener).withdraw();
      await record("drain");
    }).catch(() => {});
    for (const { socket, purpose } of clients) if (purpose === "mcp") socket.send(ENDING[reason] ?? STOPPED);
    await drained(running);
    await listener?.close();
    await workspaces.close();
    await record("end").catch(() => {});
    finish(reason);
  }
  return { ended, stop: () => running.stop("stopped") };
}

const endingMessage = (reason: string): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "plugboard/ending", params: { reason } });
const STOPPED = endingMessage("stopped");
const ENDING: Readonly<Record<string, string>> = { idle: endingMessage("idle") };

/** Waits until no borrower is left, or the time for it is over. */
async function drained({ clients, ports: { clock } }: RunningDaemon): Promise<void> {
  const until = clock.now() + DRAIN_MS;
  const isBusy = (): boolean =>
    Array.from(clients).some(({ purpose }) => purpose === "mcp" || purpose === "connection");
  while (isBusy() && clock.now() < until) await new Promise<void>((resolve) => clock.after(50, resolve));
}

/** Returns whether a daemon answers at the socket. A socket without one is replaced. */
async function isRunning({
  files,
  sockets,
  paths,
  ports,
}: {
  readonly files: Ports["files"];
  readonly sockets: LocalSockets;
  readonly paths: DaemonPaths;
  readonly ports: Ports;
}): Promise<boolean> {
  const hello: Hello = { version: VERSION, cwd: "", variables: {}, purpose: { kind: "status" } };
  const link = await connectToDaemon({ files, sockets, clock: ports.clock, paths }, hello);
  link?.socket.close();
  return link !== undefined;
}

/** Creates the key with the first daemon. Only the user can read it. */
async function createKey({ files }: Ports, paths: DaemonPaths): Promise<string> {
  const known = await readKey(files, paths);
  if (known !== undefined) return known;
  try {
    await files.create(paths.key, `${randomBytes(32).toString("hex")}\n`, 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const created = await readKey(files, paths); // another process may have created it
  if (created === undefined) throw new HostError("STATE_UNREADABLE", `${paths.key} is empty. Remove it.`);
  return created;
}

/** Creates a folder outside of the state folder, which other users must not control. */
async function makePrivateFolder({ files }: Ports, { user }: Environment, folder: string): Promise<void> {
  await files.makeFolder(folder, 0o700);
  const owner = await files.owner?.(folder);
  const isPrivate =
    owner === undefined ||
    (owner.link === undefined && owner.uid === user?.uid && (owner.mode & 0o077) === 0);
  if (!isPrivate)
    throw new HostError("DAEMON_UNAVAILABLE", `${folder} can be written to by other users.`, {
      hint: "Remove the folder, or set PLUGBOARD_HOME to a folder with a shorter path.",
    });
}
