import { HostError, type ServerState } from "../model/index.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import type { Connection } from "./connection.ts";
import { SupervisedServer, type SupervisionOptions } from "./supervised-server.ts";

export interface SupervisorOptions extends Omit<SupervisionOptions, "withTurn"> {
  /** How many servers may be starting at one time. */
  parallelStarts(): number;
}

/** Keeps at most one connection per server, however many callers ask for it, and brings back those that are lost. */
export interface Supervisor {
  /** The running connection, or a new one. A failed start is tried again by the next caller. */
  connect(server: string): Promise<Connection>;
  /** The running connection, where there is one: nothing is started, nothing waited for. */
  running(server: string): Connection | undefined;
  /** What is known without asking the server; `undefined` when it was never used. */
  state(server: string): ServerState | undefined;
  /** Those that run, start, or wait for a restart. */
  inUse(): string[];
  /** Ends a start that takes too long; the server counts as failed. */
  giveUp(server: string, error: HostError): void;
  /** Without a name: everything, for good. */
  close(server?: string): Promise<void>;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const servers = new Map<string, SupervisedServer>();
  const supervision = { ...options, withTurn: createConcurrencyLimit(options.parallelStarts) };
  let over = false;

  const serverOf = (name: string): SupervisedServer => {
    const known = servers.get(name);
    if (known !== undefined) return known;
    const server = new SupervisedServer(name, supervision);
    servers.set(name, server);
    return server;
  };

  return {
    // An operation that was under way when everything was closed must not start anything again.
    connect: (name) => (over ? Promise.reject(hostClosed()) : serverOf(name).connect()),
    running: (name) => (over ? undefined : servers.get(name)?.running()),
    state: (name) => servers.get(name)?.state,
    inUse: () => [...servers].flatMap(([name, server]) => (server.isInUse ? [name] : [])),
    giveUp(name, error) {
      if (!over) serverOf(name).giveUp(error);
    },
    async close(name) {
      if (name !== undefined) return servers.get(name)?.stop(connectionClosed(name));
      over = true;
      await Promise.all([...servers.values()].map((server) => server.stop(hostClosed())));
    },
  };
}

function hostClosed(): HostError {
  return new HostError("HOST_CLOSED", "This host is closed.");
}

function connectionClosed(server: string): HostError {
  return new HostError("CONNECTION_LOST", `the connection to "${server}" was closed`, { server });
}
