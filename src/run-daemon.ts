import { DAEMON_PROTOCOL, daemonPaths, probeDaemon, readKey } from "./daemon/index.ts";
import { type ConnectedClient, isLasting, type RunningDaemon, serveClient } from "./daemon-clients.ts";
import { createKey, makePrivateFolder, readMarker } from "./daemon-files.ts";
import { createDaemonWorkspaces } from "./daemon-workspaces.ts";
import { withFileLock } from "./documents/index.ts";
import { HostError } from "./model/index.ts";
import { replaceOlderDaemons } from "./other-daemons.ts";
import type { Environment, LocalListener } from "./platform/index.ts";
import { nodeEnvironment, nodeLocalSockets, nodePorts } from "./platform/node/index.ts";
import { findOwnPaths, guardOwnFiles } from "./state/index.ts";
import { VERSION } from "./version.ts";

/** A daemon without clients ends after this time. */
const IDLE_MS = 1_800_000;
const DRAIN_MS = 10_000;
/** How often a daemon checks that clients can still reach it. */
const CHECK_MS = 15_000;
const UNREACHABLE = "unreachable";

/** The dependencies of a daemon. Tests replace some of them. */
export interface DaemonSettings {
  readonly environment?: Environment;
  /** A daemon without clients ends after this time. Never if it is infinite. */
  readonly idleMs?: number;
  /** How long calls may take to finish after the daemon was asked to stop. */
  readonly drainMs?: number;
  /** How often a daemon checks that clients can still reach it. */
  readonly checkMs?: number;
  readonly version?: string;
  /** Receives log messages. */
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
  drainMs = DRAIN_MS,
  checkMs = CHECK_MS,
  version = VERSION,
  print = () => {},
}: DaemonSettings = {}): Promise<Daemon | undefined> {
  const ports = nodePorts(undefined, environment.variables);
  const { clock, processes } = ports;
  const places = findOwnPaths(environment);
  const files = guardOwnFiles(ports, environment, places);
  const own = { ...ports, files };
  const pathsOf = (one: { readonly version: string; readonly protocol: number }) =>
    daemonPaths(places, environment, processes.place ?? "", one);
  const paths = pathsOf({ version, protocol: DAEMON_PROTOCOL });
  const sockets = nodeLocalSockets;
  const deps = { files, sockets, clock, paths };
  await files.makeFolder(paths.folder, 0o700);
  if (paths.socketFolder !== undefined) await makePrivateFolder(files, environment, paths.socketFolder);
  const key = await createKey(files, paths);
  const clients = new Set<ConnectedClient>();
  const workspaces = createDaemonWorkspaces({
    clock,
    machineBytes: processes.memoryBytes,
    onGuardEvent: ({ at, why }) => print(`${new Date(at).toISOString()} ${why}`),
  });
  const record = (event: "start" | "drain" | "end"): Promise<void> =>
    files.append(
      paths.runs,
      `${JSON.stringify({ event, at: clock.now(), pid: processes.ownPid, version })}\n`,
      0o600,
    );
  let finish: (reason: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    finish = resolve;
  });
  let stopping: Promise<void> | undefined;
  let isDraining = false;
  let stopTimer = (): void => {};
  let stopWatch = (): void => {};
  const isUsed = (): boolean => Array.from(clients).some(({ purpose }) => isLasting(purpose));
  const endIfIdle = async (): Promise<void> => {
    if (isUsed() || workspaces.isUsedOverHttp()) watchIdle();
    else await running.stop(isDraining ? "replaced" : "idle");
  };
  const watchIdle = (): void => {
    stopTimer();
    if (idleMs === Number.POSITIVE_INFINITY && !isDraining) return; // a service manager runs it
    if (!isUsed()) stopTimer = clock.after(isDraining ? 0 : idleMs, () => void endIfIdle());
  };
  const tellEnding = (reason: string, kinds: readonly string[]): void => {
    for (const { socket, purpose } of clients)
      if (kinds.includes(purpose)) socket.send(endingMessage(reason));
  };
  const running: RunningDaemon = {
    ports: own,
    paths,
    key,
    version,
    variables: environment.variables,
    workspaces,
    clients,
    startedAt: clock.now(),
    isDraining: () => isDraining,
    onClients: watchIdle,
    stop: (reason) => (stopping ??= end(reason)),
    async drain() {
      if (isDraining || stopping !== undefined) return;
      isDraining = true;
      await record("drain");
      tellEnding("replaced", ["listen"]);
      await workspaces.closeHttp(); // the next daemon may listen on the same port
      watchIdle();
    },
  };

  const listener = await withFileLock(own, paths.turn, async (lock) => {
    const { state, answer } = await probeDaemon(deps, version);
    if (state === "running" && answer?.["draining"] !== true) return undefined;
    if (state === "silent") throw unresponsive(await readMarker(files, paths));
    await replaceOlderDaemons({ ...deps, version, pathsOf });
    await lock.assertHeld(); // this process may have been suspended
    const listening = await sockets.listen(paths.socket, (socket) => void serveClient(running, socket));
    await files.replace(paths.marker, `${JSON.stringify({ pid: processes.ownPid })}\n`, 0o600);
    await record("start");
    return listening;
  }).catch(async (error: unknown) => {
    await workspaces.close();
    throw error;
  });
  if (listener === undefined) {
    await workspaces.close();
    return undefined;
  }
  watchIdle();
  watchSocket(listener);

  /** Ends the daemon if its socket or its key was removed or replaced: no other process could use or stop it. */
  function watchSocket(socket: LocalListener): void {
    const check = async (): Promise<void> => {
      const isSame = async (): Promise<boolean> =>
        (await socket.isReachable()) && (await readKey(files, paths)) === key;
      const isReachable = await isSame().catch(() => true);
      if (isReachable) watchSocket(socket);
      else await running.stop(UNREACHABLE);
    };
    stopWatch = clock.after(checkMs, () => void check());
  }

  async function end(reason: string): Promise<void> {
    stopTimer();
    stopWatch();
    const leave = async (): Promise<void> => {
      await (listener as LocalListener).withdraw();
      if ((await readMarker(files, paths)) === processes.ownPid) await files.remove(paths.marker);
      if (!isDraining) await record("drain");
    };
    // The files of an unreachable daemon were removed, or belong to another daemon.
    await (reason === UNREACHABLE ? record("drain") : withFileLock(own, paths.turn, leave)).catch(() => {});
    tellEnding(reason, ["mcp", "listen"]);
    const until = clock.now() + drainMs;
    while (isUsed() && clock.now() < until) await new Promise<void>((resolve) => clock.after(50, resolve));
    await listener?.close();
    // Another version's daemon may still use it.
    if (paths.socketFolder !== undefined) await files.removeFolder?.(paths.socketFolder).catch(() => {});
    await workspaces.close();
    await record("end").catch(() => {});
    finish(reason);
  }
  return { ended, stop: () => running.stop("stopped") };
}

/** Tells a client that it must not send more requests, and why. */
function endingMessage(reason: string): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "plugboard/ending", params: { reason } });
}

function unresponsive(pid: number | undefined): HostError {
  const name = pid === undefined ? "The daemon" : `The daemon (process ${pid})`;
  return new HostError("DAEMON_UNAVAILABLE", `${name} does not respond.`, {
    hint: "To replace it: plugboard daemon restart",
  });
}
