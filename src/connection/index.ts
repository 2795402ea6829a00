/** Resolved server → connection. The protocol client behind it is loaded at the first connection only. */
export type { Connection } from "./connection.ts";
export type { OpenContext } from "./open-connection.ts";
export type { Supervisor } from "./supervisor.ts";
export { createSupervisor } from "./supervisor.ts";

import type { ResolvedServer } from "../values/index.ts";
import type { Connection } from "./connection.ts";
import type { OpenContext } from "./open-connection.ts";

/** Starts or reaches a server. Loads what that takes. */
export async function connectServer(
  server: ResolvedServer,
  context: OpenContext,
  signal: AbortSignal,
): Promise<Connection> {
  const { openConnection } = await import("./open-connection.ts");
  return openConnection(server, context, signal);
}
