import { HostError, type Server, timeoutHint } from "../../model/index.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";

/** The longest delay of a timer. Timers with a longer delay fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** Connects to every server that may run and reads its lists. Each server has its own time limit, unless `timeoutMs` is given. */
export async function connectAll(workspace: Workspace, timeoutMs: number | undefined): Promise<void> {
  const { servers, settings } = workspace.inventory();
  const waiting = [...servers.values()].filter((server) => decide(workspace, server).allowed);
  const work = async (): Promise<void> => {
    for (let server = waiting.shift(); server !== undefined; server = waiting.shift()) {
      await connectWithin(workspace, server, timeoutMs);
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.parallelStarts, waiting.length) }, work));
}

async function connectWithin(
  { supervisor, catalogs, ports, events }: Workspace,
  server: Server,
  timeoutMs: number | undefined,
): Promise<void> {
  const { name } = server;
  const isConnected = (): boolean => supervisor.state(name)?.kind === "connected";
  const isUsedAlready = isConnected();
  let stopTimer = (): void => {};
  let stopFollowing = (): void => {};
  // The server's own limits apply to connecting and to each page of its lists. All pages together get the time of one call.
  const ms = timeoutMs ?? Math.min(server.startupTimeoutMs + server.timeoutMs, LONGEST_MS);
  const tooSlow = new Promise<void>((resolve) => {
    const giveUp = (): void => {
      const how = isConnected() ? "it connected but did not list what it offers" : "it did not answer";
      const message = `Failed to connect to "${name}": ${how} within ${ms} ms`;
      const hint =
        timeoutMs === undefined
          ? timeoutHint(server.timeoutMs, server.timeoutSource)
          : timeoutHint(timeoutMs, "the caller's, for all servers");
      const error = new HostError("CONNECT_TIMEOUT", message, { server: name, hint });
      if (!isUsedAlready) supervisor.giveUp(name, error); // must not close a connection that is in use
      resolve();
    };
    stopTimer = ports.clock.after(ms, giveUp);
    if (timeoutMs !== undefined) return;
    let isInstalling = false;
    stopFollowing = events.subscribe((event) => {
      if (event.type !== "server.state" || event.server !== name) return;
      const wasInstalling = isInstalling;
      isInstalling = event.state === "installing";
      if (isInstalling)
        stopTimer(); // installations have their own limit
      else if (wasInstalling) stopTimer = ports.clock.after(ms, giveUp);
    });
  });
  // Ignores failures, because the server's state shows them.
  const connected = catalogs.refresh(catalogSubject(server)).then(
    () => {},
    () => {},
  );
  await Promise.race([connected, tooSlow]);
  stopFollowing();
  stopTimer();
}
