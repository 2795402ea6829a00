import { HostError, messageOf } from "../../model/index.ts";
import { type Clock, delay, elapsed, type Log } from "../../platform/index.ts";
import { type Client, close, disconnect, inTime, ResponseTimeout } from "./connect.ts";
import { failureOf, unavailable } from "./store-error.ts";

/** Sizes and times of a pool. */
export interface PoolLimits {
  readonly size: number;
  /** How many callers may wait for a connection, and for how long. */
  readonly mostWaiting: number;
  readonly waitMs: number;
  /** How often an unused pool checks that the database responds, and how long that may take. */
  readonly pingEveryMs: number;
  readonly pingMs: number;
  /** The longest time between two attempts to connect again. */
  readonly retryMs: number;
}

export const POOL_LIMITS: PoolLimits = {
  size: 8,
  mostWaiting: 200,
  waitMs: 5_000,
  pingEveryMs: 5_000,
  pingMs: 2_000,
  retryMs: 5_000,
};

const FIRST_RETRY_MS = 100;

interface Waiting {
  resolve(client: Client): void;
  reject(error: HostError): void;
}

export interface PoolOptions {
  readonly connect: () => Promise<Client>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: PoolLimits;
  /** Called when the database can be used again. */
  onUp(): void;
}

/**
 * Connections to the database. While it cannot be reached, callers get an error at once, and one attempt at a time is made to
 * connect again.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #idle: Client[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #closing = new AbortController();
  readonly #ended = new WeakSet<Client>();
  #open = 0;
  /** Why the database cannot be used. */
  #problem: HostError | undefined;
  #seenAt: number;
  #seen: number;
  #stopPing: () => void;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#seenAt = options.clock.now();
    this.#seen = elapsed(options.clock);
    this.#stopPing = this.#pingLater();
  }

  /** Why the database cannot be used, or `undefined` if it can. */
  get problem(): HostError | undefined {
    return this.#problem;
  }

  /** When the database last responded. */
  get seenAt(): number {
    return this.#seenAt;
  }

  /** Runs work on its own connection. Rejects if the work takes longer than `ms`. */
  async use<T>(ms: number, work: (client: Client) => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    const client = await this.#take();
    const running = work(client);
    try {
      const result = await inTime(clock, client, ms, running);
      this.#responded();
      return result;
    } catch (error) {
      // Its own time limits did not apply: it is suspended, or the network drops packets.
      if (error instanceof ResponseTimeout) this.#failed(error);
      else if (failureOf(error) === "lost") this.#drop(client); // it may be a standby now
      throw error;
    } finally {
      this.#giveBack(client);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopPing();
    const closed = unavailable("The store is closed.");
    this.#problem = closed;
    for (const { reject } of this.#waiting.splice(0)) reject(closed);
    await Promise.all(this.#idle.splice(0).map((client) => close(this.#options.clock, client)));
  }

  async #take(): Promise<Client> {
    if (this.#problem !== undefined) throw this.#problem;
    const { limits, clock } = this.#options;
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#open < limits.size) return this.#connect();
    if (this.#waiting.length >= limits.mostWaiting)
      throw unavailable("The database is too slow: too many requests wait for it.");
    return new Promise<Client>((resolve, reject) => {
      const stopTimer = clock.after(limits.waitMs, () => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(unavailable(`No database connection was free within ${limits.waitMs / 1_000} s.`));
      });
      const waiting: Waiting = {
        resolve(client) {
          stopTimer();
          resolve(client);
        },
        reject(error) {
          stopTimer();
          reject(error);
        },
      };
      this.#waiting.push(waiting);
    });
  }

  async #connect(): Promise<Client> {
    this.#open += 1;
    try {
      return this.#adopt(await this.#options.connect());
    } catch (error) {
      this.#open -= 1;
      const failure = error instanceof HostError ? error : unavailable(messageOf(error), error);
      this.#failed(failure);
      throw failure;
    }
  }

  #adopt(client: Client): Client {
    client.once("end", () => this.#forget(client));
    client.once("error", () => this.#forget(client));
    this.#responded();
    return client;
  }

  #giveBack(client: Client): void {
    if (this.#ended.has(client)) {
      this.#serveNext();
      return;
    }
    if (this.#closing.signal.aborted) {
      this.#drop(client);
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(client);
    else next.resolve(client);
  }

  /** Lets a waiting caller use the place of a connection that ended. */
  #serveNext(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#take().then(next.resolve, next.reject);
  }

  #forget(client: Client): void {
    if (this.#ended.has(client)) return;
    this.#ended.add(client);
    this.#open -= 1;
    const index = this.#idle.indexOf(client);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  #drop(client: Client): void {
    disconnect(client);
    this.#forget(client);
  }

  #responded(): void {
    this.#seenAt = this.#options.clock.now();
    this.#seen = elapsed(this.#options.clock);
  }

  #failed(problem: HostError): void {
    if (this.#problem !== undefined) return;
    this.#problem = problem;
    this.#options.log.log("warn", "store.down", { error: problem.message });
    for (const { reject } of this.#waiting.splice(0)) reject(problem);
    for (const client of this.#idle.slice()) this.#drop(client);
    void this.#reconnect();
  }

  /** Connects again, at random times, so that many gateways do not connect to a restarted database at once. */
  async #reconnect(): Promise<void> {
    const { clock, limits, log, onUp, connect } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      const longest = Math.min(limits.retryMs, FIRST_RETRY_MS * 2 ** attempt);
      await delay(clock, longest * (0.5 + Math.random() / 2), this.#closing.signal);
      if (this.#closing.signal.aborted) return;
      try {
        const client = await connect();
        if (this.#closing.signal.aborted) return disconnect(client);
        this.#open += 1;
        this.#problem = undefined;
        this.#idle.push(this.#adopt(client));
        log.log("info", "store.up");
        onUp();
        return;
      } catch (error) {
        log.log("debug", "store.retry", { attempt, error: messageOf(error) });
      }
    }
  }

  /** Notices a database that does not respond while no caller uses it. */
  #pingLater(): () => void {
    const { clock, limits } = this.#options;
    const ping = (): void => {
      this.#stopPing = this.#pingLater();
      if (this.#problem === undefined && elapsed(clock) - this.#seen >= limits.pingEveryMs)
        this.use(limits.pingMs, (client) => client.query("SELECT 1")).catch(() => {}); // the pool already handles it
    };
    return clock.after(limits.pingEveryMs, ping, { background: true });
  }
}
