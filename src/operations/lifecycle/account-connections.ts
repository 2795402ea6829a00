import type { Connection } from "../../connection/index.ts";

/** Connections for accounts other than the default: one per server and account, opened on demand. */
export interface AccountConnections {
  /** Returns the connection for an account, or opens one. */
  connect(server: string, account: string): Promise<Connection>;
  /** Returns whether a connection is open or opening. */
  isInUse(): boolean;
  /** Closes the connections of one server, or all. */
  close(server?: string): Promise<void>;
}

export function createAccountConnections(
  open: (server: string, account: string, signal: AbortSignal) => Promise<Connection>,
): AccountConnections {
  const running = new Map<string, { readonly server: string; readonly connection: Promise<Connection> }>();
  const abort = new AbortController();
  return {
    connect(server, account) {
      const key = `${server}\0${account}`;
      const known = running.get(key);
      if (known !== undefined) return known.connection;
      const entry = { server, connection: open(server, account, abort.signal) };
      running.set(key, entry);
      const forget = (): void => {
        if (running.get(key) === entry) running.delete(key);
      };
      entry.connection.then((connection) => connection.ended.then(forget), forget);
      return entry.connection;
    },
    isInUse: () => running.size > 0,
    async close(server) {
      if (server === undefined) abort.abort();
      const ending = [...running].filter(([, entry]) => server === undefined || entry.server === server);
      for (const [key] of ending) running.delete(key);
      await Promise.allSettled(ending.map(async ([, { connection }]) => (await connection).close()));
    },
  };
}
