import { HostError, type Server } from "../model/index.ts";
import { catalogSubject, decide, type Workspace } from "./workspace.ts";

/** Connects to every server that may run and reads its lists. One that is too slow is given up; the others go on. */
export async function connectAll(workspace: Workspace, timeoutMs: number): Promise<void> {
  const waiting = [...workspace.inventory().servers.values()].filter(
    (server) => decide(workspace, server).allowed,
  );
  const work = async (): Promise<void> => {
    for (let server = waiting.shift(); server !== undefined; server = waiting.shift()) {
      await connectWithin(workspace, server, timeoutMs);
    }
  };
  await Promise.all(Array.from({ length: workspace.parallelStarts }, work));
}

async function connectWithin(
  { supervisor, catalogs, ports }: Workspace,
  server: Server,
  timeoutMs: number,
): Promise<void> {
  const { name } = server;
  let stopTimer = (): void => {};
  const tooSlow = new Promise<void>((resolve) => {
    stopTimer = ports.clock.after(timeoutMs, () => {
      const message = `Failed to connect to "${name}": it did not answer within ${timeoutMs} ms`;
      const hint = "Try increasing the timeout.";
      supervisor.giveUp(name, new HostError("CONNECT_TIMEOUT", message, { server: name, hint }));
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
