import { HostError, type Installation, isHostError } from "../model/index.ts";
import { type Clock, unlessAborted } from "../platform/index.ts";
import type { ConcurrencyLimit, OutsideLimit } from "./concurrency-limit.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionState } from "./connection-state.ts";
import {
  desiredRun,
  INITIAL_STATE,
  type LifecycleEvent,
  type LifecycleState,
  next,
  nextTimerAt,
  reconcile,
} from "./lifecycle.ts";

/** What can be reported or requested while a server starts. */
export interface OpeningStage {
  /** Reports that its package is being installed. Without an installation, that the installation has ended. */
  onInstalling(installation: Installation | undefined): void;
  /** Lets other servers start while this work runs. */
  readonly outsideTurn: OutsideLimit;
}

export interface SupervisionOptions {
  readonly clock: Clock;
  readonly withTurn: ConcurrencyLimit;
  /** Checks the policy, resolves values and connects. Rejects with a `HostError`. */
  open(server: string, signal: AbortSignal, stage: OpeningStage): Promise<Connection>;
  onState(server: string, state: ConnectionState): void;
  idleStopMs(server: string): number | undefined;
  /** Returns whether there are listeners for the server's notifications. Such a server counts as in use. */
  isListenedTo(server: string): boolean;
}

/** A running server process, and how it is used. */
export interface ServerUse {
  readonly server: string;
  readonly process: NonNullable<Connection["process"]>;
  /** The number of running requests. Counted only if the server stops when it is idle. */
  readonly busy: number;
  /** Whether there are listeners for its notifications. */
  readonly isListenedTo: boolean;
  /** When it was last used (ms since 1970), if the server stops when it is idle; otherwise when it was started. */
  readonly usedAt: number;
}

/** One start of the server, and the resulting connection. */
interface Run {
  readonly number: number;
  readonly abort: AbortController;
  /** The outcome of the start, even after it was cancelled. */
  readonly opened: Promise<Connection>;
  /** The outcome for callers. Rejects immediately if the run is cancelled. */
  readonly connection: Promise<Connection>;
  /** The connection, once it is open. */
  standing: Connection | undefined;
}

/** Starts and stops one server as its lifecycle state requires. All decisions are in `lifecycle.ts`. */
export class SupervisedServer {
  readonly #name: string;
  readonly #options: SupervisionOptions;
  #life: LifecycleState = INITIAL_STATE;
  #run: Run | undefined;
  /** Resolves when the previous run has ended. A new start waits for it. */
  #gone: Promise<void> | undefined;
  #stopTimer = (): void => {};

  constructor(name: string, options: SupervisionOptions) {
    this.#name = name;
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#life.state;
  }

  /** Whether it is running, starting, or waiting for a restart. */
  get isInUse(): boolean {
    return desiredRun(this.#life) !== undefined || this.#life.state.kind === "reconnecting";
  }

  /** The running connection, or the next one. */
  connect(): Promise<Connection> {
    this.#apply({ type: "used" });
    if (this.#run === undefined) throw new HostError("INTERNAL_BUG", `"${this.#name}" was not started.`);
    const { connection, standing } = this.#run;
    return standing?.probing === undefined ? connection : this.#afterProbe(this.#run, standing);
  }

  /** Holds new calls until the probe ends. If the server does not respond, they use the next connection. */
  async #afterProbe(run: Run, { probing, ended }: Connection): Promise<Connection> {
    const { signal } = run.abort;
    const isAlive = await probing;
    if (!isAlive && !signal.aborted) await ended; // the listener of this class runs first, so the state has changed by then
    if (this.#run === run) return run.connection;
    if (isHostError(signal.reason)) throw signal.reason; // it was stopped
    return this.connect();
  }

  /** Returns the connection if it is open and not being probed. */
  running(): Connection | undefined {
    if (this.state.kind !== "connected") return undefined;
    if (this.#options.idleStopMs(this.#name) !== undefined) this.#apply({ type: "used" });
    const standing = this.#run?.standing;
    return standing?.probing === undefined ? standing : undefined;
  }

  /** Stops the server. Pending callers are rejected with the reason. */
  stop(reason: HostError): Promise<void> {
    this.#apply({ type: "stopped" }, reason);
    return this.#gone ?? Promise.resolve();
  }

  /** Returns what is known about the open connection, for decisions about its process. */
  use(): ServerUse | undefined {
    const { state, busy, usedAt } = this.#life;
    const { process } = this.#run?.standing ?? {};
    if (state.kind !== "connected" || process?.pid === undefined) return undefined;
    const isListenedTo = this.#options.isListenedTo(this.#name);
    return { server: this.#name, process, busy, isListenedTo, usedAt };
  }

  /** Ends the connection and starts the server again, as if it had crashed. Automatic restarts are limited. */
  restart(why: string): void {
    const error = new HostError("CONNECTION_LOST", why, { server: this.#name });
    this.#apply({ type: "ended", run: this.#life.run, message: why }, error);
  }

  giveUp(error: HostError): void {
    this.#apply({ type: "givenUp", error }, error);
  }

  #apply(event: LifecycleEvent, reason?: unknown, now = this.#options.clock.now()): void {
    const { onState } = this.#options;
    const idleStopMs = this.#options.idleStopMs(this.#name);
    const before = this.#life;
    const life = next(before, event, { server: this.#name, now, idleStopMs });
    if (life === before) return;
    this.#life = life;
    this.#obey(life, reason);
    this.#setTimer(nextTimerAt(life, idleStopMs), now);
    // Last, because the listener may use the server again immediately.
    if (life.state !== before.state) onState(this.#name, life.state);
  }

  #setTimer(due: number | undefined, now: number): void {
    this.#stopTimer();
    if (due === undefined) return;
    const { clock, isListenedTo } = this.#options;
    const wake = (): void => {
      const isUsed = this.state.kind === "connected" && isListenedTo(this.#name);
      // Trust the timer rather than the clock, which may have been changed.
      this.#apply({ type: isUsed ? "used" : "woken" }, undefined, Math.max(due, clock.now()));
    };
    this.#stopTimer = clock.after(due - now, wake);
  }

  #obey(life: LifecycleState, reason: unknown): void {
    const run = this.#run;
    const wanted = desiredRun(life);
    const { end, start } = reconcile(wanted, run?.number);
    if (end && run !== undefined) this.#end(run, reason);
    if (start && wanted !== undefined) this.#start(wanted);
  }

  #end({ abort, opened }: Run, reason: unknown): void {
    this.#run = undefined;
    abort.abort(reason);
    const gone = opened
      .then((connection) =>
        connection.close(isHostError(reason, "CONNECTION_LOST") ? reason.message : undefined),
      ) // also after a crash, which may have left children behind
      .catch(() => {}) // a failed start cleans up after itself
      .then(() => {
        if (this.#gone === gone) this.#gone = undefined;
      });
    this.#gone = gone;
  }

  #start(number: number): void {
    const { open, withTurn } = this.#options;
    const abort = new AbortController();
    const { signal } = abort;
    const gone = this.#gone ?? Promise.resolve();
    const onInstalling = (installation: Installation | undefined): void =>
      this.#apply({ type: "installing", run: number, installation });
    const opened = gone.then(() =>
      withTurn(signal, (outsideTurn) => open(this.#name, signal, { onInstalling, outsideTurn })),
    );
    const connection = unlessAborted(signal, () =>
      opened.then((fresh) => {
        run.standing = this.#counted(fresh, number);
        return run.standing;
      }),
    );
    const run: Run = { number, abort, opened, connection, standing: undefined };
    this.#run = run;
    opened.then(
      ({ facts, ended }) => {
        this.#apply({ type: "opened", run: number, facts });
        void ended.then(({ message }) => this.#apply({ type: "ended", run: number, message }));
      },
      (error: unknown) => this.#apply({ type: "failed", run: number, error }, error),
    );
    connection.catch(() => {}); // a restart in the background has no caller
  }

  /** Requests are counted only if the server stops when it is idle. */
  #counted(connection: Connection, run: number): Connection {
    if (this.#options.idleStopMs(this.#name) === undefined) return connection;
    const { server, facts, ended } = connection;
    return {
      server,
      facts,
      ended,
      request: async (...request) => {
        this.#apply({ type: "asked", run });
        try {
          return await connection.request(...request);
        } finally {
          this.#apply({ type: "answered", run });
        }
      },
      get probing() {
        return connection.probing;
      },
      get capabilities() {
        return connection.capabilities;
      },
      get process() {
        return connection.process;
      },
      onNotification: (listener) => connection.onNotification(listener),
      close: (why) => connection.close(why),
    };
  }
}
