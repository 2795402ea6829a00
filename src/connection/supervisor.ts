import { HostError, isHostError, messageOf, type ServerState } from "../model/index.ts";
import type { Connection } from "./connection.ts";

export interface SupervisorOptions {
  /** Decides, resolves and connects; rejects with a `HostError`. */
  open(server: string, signal: AbortSignal): Promise<Connection>;
  onState(server: string, state: ServerState): void;
  /** How many servers may be starting at one time. */
  readonly parallelStarts: number;
}

/** Keeps at most one connection per server, however many callers ask for it. */
export interface Supervisor {
  /** The running connection, or a new one. A failed start is tried again by the next caller. */
  connect(server: string): Promise<Connection>;
  /** What is known without asking the server; `undefined` when it was never used. */
  state(server: string): ServerState | undefined;
  /** Ends a start that takes too long; the server counts as failed. */
  giveUp(server: string, error: HostError): void;
  /** Without a name: everything, for good. */
  close(server?: string): Promise<void>;
}

interface Slot {
  readonly abort: AbortController;
  readonly connection: Promise<Connection>;
}

export function createSupervisor({ open, onState, parallelStarts }: SupervisorOptions): Supervisor {
  const slots = new Map<string, Slot>();
  const states = new Map<string, ServerState>();
  const withTurn = createTurnstile(parallelStarts);
  let over = false;

  const change = (server: string, state: ServerState): void => {
    states.set(server, state);
    onState(server, state);
  };

  /** Being closed takes a while; whoever waits for all to be closed waits for these too. */
  const closing = new Set<Promise<void>>();

  const letGo = (closed: Promise<void>): void => {
    const done = closed
      .catch(() => {}) // it never came up, and cleaned up after itself
      .finally(() => closing.delete(done));
    closing.add(done);
  };

  const start = (server: string): Slot => {
    const abort = new AbortController();
    const connection = withTurn(async () => {
      abort.signal.throwIfAborted(); // it may have been closed while it waited for its turn
      return open(server, abort.signal);
    }).catch((error: unknown) => {
      throw abort.signal.aborted ? abort.signal.reason : error;
    });
    const slot: Slot = { abort, connection };
    slots.set(server, slot);
    change(server, { kind: "connecting" });
    // A slot that was replaced or closed in the meantime no longer speaks for its server.
    const isCurrent = (): boolean => slots.get(server) === slot;
    slot.connection.then(
      (connection) => {
        if (isCurrent()) change(server, { kind: "connected", facts: connection.facts });
        void connection.ended.then(({ message }) => {
          if (!isCurrent()) return;
          slots.delete(server);
          letGo(connection.close()); // a server that crashed may have left children behind
          change(server, { kind: "failed", error: new HostError("CONNECTION_LOST", message, { server }) });
        });
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        slots.delete(server);
        change(server, failedState(server, error));
      },
    );
    return slot;
  };

  const closeOne = (server: string, reason: HostError): void => {
    const slot = slots.get(server);
    if (slot === undefined) return;
    slots.delete(server);
    slot.abort.abort(reason);
    change(server, { kind: "idle" });
    letGo(slot.connection.then((connection) => connection.close()));
  };

  return {
    connect(server) {
      // An operation that was under way when everything was closed must not start anything again.
      if (over) return Promise.reject(hostClosed());
      return (slots.get(server) ?? start(server)).connection;
    },
    state: (server) => states.get(server),
    giveUp(server, error) {
      closeOne(server, error);
      change(server, failedState(server, error));
    },
    async close(server) {
      over ||= server === undefined;
      for (const name of server === undefined ? [...slots.keys()] : [server]) {
        closeOne(name, over ? hostClosed() : connectionClosed(name));
      }
      await Promise.all(closing);
    },
  };
}

function hostClosed(): HostError {
  return new HostError("HOST_CLOSED", "This host is closed.");
}

function connectionClosed(server: string): HostError {
  return new HostError("CONNECTION_LOST", `the connection to "${server}" was closed`, { server });
}

function failedState(server: string, error: unknown): ServerState {
  const failure = isHostError(error)
    ? error
    : new HostError("CONNECT_FAILED", messageOf(error), { server, cause: error });
  return failure.code === "AUTH_REQUIRED"
    ? { kind: "needs_auth", error: failure }
    : { kind: "failed", error: failure };
}

/** Lets `limit` actions run at a time; the others wait in order. */
function createTurnstile(limit: number): <T>(action: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (action) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await action();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
