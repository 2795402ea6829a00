import { randomUUID } from "node:crypto";
import { messageOf, notifyListener } from "../../model/index.ts";
import { type Clock, delay, type Log } from "../../platform/index.ts";
import type { Change, RevisionKind, Revisions } from "../store.ts";
import { type Client, close, disconnect, inTime } from "./connect.ts";
import type { Database } from "./database.ts";
import { CHANNEL, raise } from "./rows.ts";
import { failureOf, unusable } from "./store-error.ts";

/** Times of the listener, which tests make smaller. */
export interface ListenerLimits {
  /** How often the connection is checked, and how long that may take. */
  readonly pingEveryMs: number;
  readonly pingMs: number;
  /** How often revisions are read while there is no connection. */
  readonly pollMs: number;
  readonly retryMs: number;
}

export const LISTENER_LIMITS: ListenerLimits = {
  pingEveryMs: 5_000,
  pingMs: 2_000,
  pollMs: 2_000,
  retryMs: 5_000,
};

const FIRST_RETRY_MS = 100;
const PAYLOAD = /^(\w+) (\d+) (.*)$/s;
/** Not counted, because there are too many of them. */
const UNCOUNTED: readonly RevisionKind[] = ["session"];

interface Revision {
  readonly kind: RevisionKind;
  readonly key: string;
  readonly revision: string;
}

export interface ListenerContext {
  readonly database: Pick<Database, "query" | "transaction" | "connectForSession">;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the timeline of the database after each connection. It changes when a standby takes over. */
  onTimeline(timeline: string): void;
  readonly limits?: Partial<ListenerLimits>;
}

/** Receives changes that other gateways commit, through its own connection. */
export class ChangeListener implements Revisions {
  readonly #context: ListenerContext;
  readonly #limits: ListenerLimits;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #closing = new AbortController();
  readonly #known = new Map<string, number>();
  #client: Client | undefined;
  #isClosed = false;
  #stopPing = (): void => {};

  constructor(context: ListenerContext) {
    this.#context = context;
    this.#limits = { ...LISTENER_LIMITS, ...context.limits };
  }

  get isListening(): boolean {
    return this.#client !== undefined;
  }

  /** Connects. Throws if notifications do not arrive, because a pooler shares the connection between transactions. */
  async open(): Promise<void> {
    await this.#connect();
    this.#pingLater();
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  raise(kind: RevisionKind, key: string): Promise<void> {
    return this.#context.database.transaction((query) => raise(query, kind, key));
  }

  async isResponding(): Promise<boolean> {
    const client = this.#client;
    if (client === undefined) return false;
    try {
      await inTime(this.#context.clock, client, this.#limits.pingMs, client.query("SELECT 1"));
      return true;
    } catch (error) {
      this.#lost(client, messageOf(error));
      return false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    this.#stopPing();
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await close(this.#context.clock, client);
  }

  async #connect(): Promise<void> {
    const { clock, database } = this.#context;
    const client = await database.connectForSession();
    try {
      const received = new Set<string>();
      let onReceived = (): void => {};
      client.on("notification", ({ payload = "" }) => {
        received.add(payload);
        onReceived();
        this.#receive(payload);
      });
      const probe = `probe 0 ${randomUUID()}`;
      const arrived = new Promise<void>((resolve) => {
        onReceived = () => received.has(probe) && resolve();
      });
      await inTime(clock, client, this.#limits.pingMs, client.query(`LISTEN ${CHANNEL}`));
      await inTime(
        clock,
        client,
        this.#limits.pingMs,
        client.query("SELECT pg_notify($1, $2)", [CHANNEL, probe]),
      );
      await inTime(clock, client, this.#limits.pingMs, arrived).catch(() => {
        throw unusable(
          "The database's notifications do not arrive, because a pooler shares connections between transactions.",
          "Set database.listenUrl to a URL that reaches PostgreSQL itself, or a pool with pool_mode=session.",
        );
      });
      onReceived = () => {};
      // Changes from now on are announced. Earlier ones are read.
      await this.#readRevisions();
      this.#context.onTimeline(await timelineOf(client));
    } catch (error) {
      disconnect(client);
      throw error;
    }
    client.once("end", () => this.#lost(client, "the connection ended"));
    client.once("error", (error) => this.#lost(client, messageOf(error)));
    if (this.#isClosed) disconnect(client);
    else this.#client = client;
  }

  #receive(payload: string): void {
    const [, kind, digits, key = ""] = PAYLOAD.exec(payload) ?? [];
    if (kind === undefined || kind === "probe") return;
    this.#changed(kind as RevisionKind, key, Number(digits));
  }

  #changed(kind: RevisionKind, key: string, revision: number): void {
    // After a standby has taken over, a revision can be lower than before.
    if (revision !== 0 && this.#known.get(`${kind} ${key}`) === revision) return;
    if (revision !== 0) this.#known.set(`${kind} ${key}`, revision);
    for (const listener of this.#listeners)
      notifyListener(listener, { kind, key }, (error) =>
        this.#context.log.log("error", "listener.failed", { error: messageOf(error) }),
      );
  }

  async #readRevisions(): Promise<void> {
    const isFirst = this.#known.size === 0 && this.#client === undefined && this.#listeners.size === 0;
    const { rows } = await this.#context.database.query<Revision>(
      "SELECT kind, key, revision FROM plugboard.revisions",
    );
    for (const { kind, key, revision } of rows)
      if (isFirst) this.#known.set(`${kind} ${key}`, Number(revision));
      else this.#changed(kind, key, Number(revision));
    for (const kind of UNCOUNTED) this.#changed(kind, "", 0);
  }

  #lost(client: Client, why: string): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    this.#stopPing();
    disconnect(client);
    this.#context.log.log("warn", "store.listener.lost", { error: why });
    void this.#reconnect();
    void this.#poll();
  }

  async #reconnect(): Promise<void> {
    const { clock, log } = this.#context;
    for (let attempt = 0; !this.#isClosed; attempt += 1) {
      const longest = Math.min(this.#limits.retryMs, FIRST_RETRY_MS * 2 ** attempt);
      await delay(clock, longest * (0.5 + Math.random() / 2), this.#closing.signal);
      if (this.#isClosed) return;
      try {
        await this.#connect();
        this.#pingLater();
        log.log("info", "store.listener.connected");
        return;
      } catch (error) {
        log.log("debug", "store.listener.retry", { attempt, error: messageOf(error) });
      }
    }
  }

  /** Reads the revisions while there is no connection. The pool may still have some. */
  async #poll(): Promise<void> {
    const { clock, log } = this.#context;
    while (!this.#isClosed && this.#client === undefined) {
      await delay(clock, this.#limits.pollMs, this.#closing.signal);
      if (this.#isClosed || this.#client !== undefined) return;
      await this.#readRevisions().catch((error: unknown) => {
        log.log("debug", "store.revisions.unreadable", { error: messageOf(error) });
      });
    }
  }

  /** A connection can be dead without an error, for example after a firewall has forgotten it. */
  #pingLater(): void {
    const { clock } = this.#context;
    this.#stopPing = clock.after(
      this.#limits.pingEveryMs,
      () => {
        const client = this.#client;
        if (client === undefined) return;
        inTime(clock, client, this.#limits.pingMs, client.query("SELECT 1")).then(
          () => this.#client === client && this.#pingLater(),
          (error: unknown) => this.#lost(client, messageOf(error)),
        );
      },
      { background: true },
    );
  }
}

/** Returns the timeline of the database, which increases when a standby takes over. Some managed databases do not report it. */
async function timelineOf(client: Client): Promise<string> {
  try {
    const { rows } = await client.query<{ timeline: string }>(
      "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline",
    );
    return rows[0]?.timeline ?? "";
  } catch (error) {
    if (failureOf(error) === "lost") throw error;
    return "";
  }
}
