import { HostError, type Server, timeoutHint } from "../../model/index.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";

/** Timers cannot wait longer; they would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Connects to every server that may run and reads its lists, each within its own limits, and within the one given. */
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
  // Its own limits bound connecting and every page of its lists; all pages together have the time of one call.
  const ms = timeoutMs ?? Math.min(server.startupTimeoutMs + server.timeoutMs, LONGEST_MS);
  const tooSlow = new Promise<void>((resolve) => {
    const giveUp = (): void => {
      const how = isConnected() ? "it answers, but did not say what it offers" : "it did not answer";
      const message = `Failed to connect to "${name}": ${how} within ${ms} ms`;
      const hint =
        timeoutMs === undefined
          ? timeoutHint(server.timeoutMs, server.timeoutSource)
          : timeoutHint(timeoutMs, "the caller's, for all servers");
      const error = new HostError("CONNECT_TIMEOUT", message, { server: name, hint });
      if (!isUsedAlready) supervisor.giveUp(name, error); // whoever uses it would lose it
      resolve();
    };
    stopTimer = ports.clock.after(ms, giveUp);
    if (timeoutMs !== undefined) return;
    let isInstalling = false;
    stopFollowing = events.subscribe((event) => {
      if (event.type !== "server.state" || event.server !== name) return;
      const wasInstalling = isInstalling;
      isInstalling = event.state.kind === "installing";
      if (isInstalling)
        stopTimer(); // which has a limit of its own
      else if (wasInstalling) stopTimer = ports.clock.after(ms, giveUp);
    });
  });
  // Why it failed is in the server's state.
  const connected = catalogs.refresh(catalogSubject(server)).then(
    () => {},
    () => {},
  );
  await Promise.race([connected, tooSlow]);
  stopFollowing();
  stopTimer();
}
