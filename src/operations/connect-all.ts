import { HostError, type Server } from "../model/index.ts";
import { catalogSubject, decide, type Workspace } from "./workspace.ts";

/** Connects to every server that may run and reads its lists. One that is too slow is given up; the others go on. */
export async function connectAll(workspace: Workspace, timeoutMs: number): Promise<void> {
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
  { supervisor, catalogs, ports }: Workspace,
  server: Server,
  timeoutMs: number,
): Promise<void> {
  const { name } = server;
  const isConnected = (): boolean => supervisor.state(name)?.kind === "connected";
  const isUsedAlready = isConnected();
  let stopTimer = (): void => {};
  const tooSlow = new Promise<void>((resolve) => {
    stopTimer = ports.clock.after(timeoutMs, () => {
      const how = isConnected() ? "it answers, but did not say what it offers" : "it did not answer";
      const message = `Failed to connect to "${name}": ${how} within ${timeoutMs} ms`;
      const hint = "Try increasing the timeout.";
      const error = new HostError("CONNECT_TIMEOUT", message, { server: name, hint });
      if (!isUsedAlready) supervisor.giveUp(name, error); // whoever uses it would lose it
      resolve();
    });
  });
  // Why it failed is in the server's state.
  const connected = catalogs.refresh(catalogSubject(server)).then(
    () => {},
    () => {},
  );
  await Promise.race([connected, tooSlow]);
  stopTimer();
}
