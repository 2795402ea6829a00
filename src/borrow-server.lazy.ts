import type { BorrowedServer } from "./connection/index.ts";
import { type DaemonControl, findDaemon } from "./find-daemon.lazy.ts";
import { HostError, type JsonObject, type Server } from "./model/index.ts";
import type { Environment } from "./platform/index.ts";

export interface BorrowRequest {
  readonly server: Server;
  /** Identifies what this process would start. */
  readonly launch: string;
  readonly capabilities: JsonObject;
  readonly environment: Environment;
  readonly mode: "auto" | "require";
  /** The user's setting. */
  readonly setting: "auto" | "off";
  readonly signal: AbortSignal;
}

/** Borrows a server from the user's daemon. With `auto`, resolves with `undefined` if that is not possible. */
export async function borrowServer(request: BorrowRequest): Promise<BorrowedServer | undefined> {
  const { mode } = request;
  try {
    const borrowed = await tryToBorrow(request);
    if (borrowed === undefined && mode === "require")
      throw new HostError("DAEMON_UNAVAILABLE", "No daemon is running.", {
        hint: "Start it: plugboard daemon start",
      });
    return borrowed;
  } catch (error) {
    request.signal.throwIfAborted();
    if (mode === "require") throw error;
    return undefined; // this process can start the server itself
  }
}

async function tryToBorrow(request: BorrowRequest): Promise<BorrowedServer | undefined> {
  const { server, launch, capabilities, environment, signal } = request;
  const daemon = findDaemon(environment);
  const purpose = { kind: "connection", server: server.name, launch, capabilities } as const;
  const connect = async () => daemon.connect(purpose, environment.cwd);
  const link = (await connect()) ?? ((await mayStart(daemon, request)) ? await connect() : undefined);
  if (link === undefined) return undefined;
  if (signal.aborted) link.socket.close();
  const { era } = link.answer;
  return { socket: link.socket, era: era === "modern" ? "modern" : "legacy" };
}

async function mayStart(daemon: DaemonControl, { setting }: BorrowRequest): Promise<boolean> {
  if ((await daemon.whyNotAutomatic(setting)) !== undefined) return false;
  await daemon.start();
  return true;
}
