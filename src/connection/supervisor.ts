import { HostError } from "../model/index.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionState } from "./connection-state.ts";
import { type ServerUse, SupervisedServer, type SupervisionOptions } from "./supervised-server.ts";

export interface SupervisorOptions extends Omit<SupervisionOptions, "withTurn"> {
  /** How many servers may start at the same time. */
  parallelStarts(): number;
  /** The error for callers after `close()`. Default: the host is closed. */
  readonly closedError?: () => HostError;
}

/** Keeps at most one connection per server, shared by all callers, and restores lost connections. */
export interface Supervisor {
  /** Returns the open connection or starts one. After a failed start, the next caller tries again. */
  connect(server: string): Promise<Connection>;
  /** Returns the open connection, if any. Never starts a server or waits. */
  running(server: string): Connection | undefined;
  /** Returns the last known state, or `undefined` if the server was never used. */
  state(server: string): ConnectionState | undefined;
  /** Returns the servers that are running, starting, or waiting for a restart. */
  inUse(): string[];
  /** Returns the running server processes. */
  uses(): readonly ServerUse[];
  /** Ends a server's process and starts it again, as if it had crashed. */
  restart(server: string, why: string): void;
  /** Ends a start that takes too long. The server counts as failed. */
  giveUp(server: string, error: HostError): void;
  /** Closes one server or, without a name, all servers permanently. */
  close(server?: string): Promise<void>;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const servers = new Map<string, SupervisedServer>();
  const supervision = {
    ...options,
    withTurn: createConcurrencyLimit(options.parallelStarts),
  };
  const closedError = options.closedError ?? hostClosed;
  let over = false;

  const serverOf = (name: string): SupervisedServer => {
    const known = servers.get(name);
    if (known !== undefined) return known;
    const server = new SupervisedServer(name, supervision);
    servers.set(name, server);
    return server;
  };

  return {
    // An operation that was running during the close must not start a server again.
    connect: (name) => (over ? Promise.reject(closedError()) : serverOf(name).connect()),
    running: (name) => (over ? undefined : servers.get(name)?.running()),
    state: (name) => servers.get(name)?.state,
    inUse: () => [...servers].flatMap(([name, server]) => (server.isInUse ? [name] : [])),
    uses: () => [...servers.values()].flatMap((server) => server.use() ?? []),
    restart: (name, why) => servers.get(name)?.restart(why),
    giveUp(name, error) {
      if (!over) serverOf(name).giveUp(error);
    },
    async close(name) {
      if (name !== undefined) return servers.get(name)?.stop(connectionClosed(name));
      over = true;
      await Promise.all([...servers.values()].map((server) => server.stop(closedError())));
    },
  };
}

function hostClosed(): HostError {
  return new HostError("HOST_CLOSED", "This host is closed.");
}

function connectionClosed(server: string): HostError {
  return new HostError("CONNECTION_LOST", `the connection to "${server}" was closed`, { server });
}
