import { unlessAborted } from "../platform/index.ts";
import { BodyBudget } from "./client/body-budget.ts";
import { HistoryRoom } from "./client/history-room.ts";
import type { Client, ClientRequest } from "./client-request.ts";
import type { RateLimit } from "./rate-limit.ts";
import { ownError, tooFast } from "./rpc-error.ts";

/** How much clients may use at once. */
export interface GatewayLimits {
  /** Requests of one client that run at the same time. Default: 32. */
  readonly requestsPerClient: number;
  /** Requests of all clients that run at the same time. Default: 256. */
  readonly requests: number;
  /** Requests that wait in the queue. Further ones are refused as busy. Default: 100. */
  readonly queue: number;
  /** Sessions of legacy clients over HTTP. Beyond this, the least recently used session that runs nothing ends. Default: 2000. */
  readonly sessions: number;
  /** Streams that modern clients open with `subscriptions/listen`. Further ones are refused as busy. Default: 256. */
  readonly streams: number;
  /** Sessions without requests and streams end after this time, in milliseconds. Default: 24 hours. */
  readonly idleSessionMs: number;
  /** The largest body of a request, in bytes. Default: 4 MB. */
  readonly bodyBytes: number;
  /**
   * A client over HTTP that does not take this many bytes gets no notifications. If it still takes none later, its stream is closed.
   * Default: 1 MB.
   */
  readonly unsentBytes: number;
}

export const DEFAULT_LIMITS: GatewayLimits = {
  requestsPerClient: 32,
  requests: 256,
  queue: 100,
  sessions: 2_000,
  streams: 256,
  idleSessionMs: 86_400_000,
  bodyBytes: 4 * 1024 * 1024,
  unsentBytes: 1024 * 1024,
};

/** These are answered immediately, or stay open without work. */
const UNLIMITED: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "server/discover",
  "subscriptions/listen",
]);

/** The share of all places, and of the queue, that is reserved for clients without running requests. */
const KEPT_FREE = 1 / 8;

/** Limits for concurrent operations. */
export interface FairLimits {
  /** In all. */
  readonly places: number;
  /** For one key. */
  readonly perKey: number;
  /** How many wait. Further ones are refused as busy. */
  readonly queue: number;
}

interface Waiting<K> {
  readonly key: K;
  start(): void;
}

/** Limits how much runs at the same time. The rest waits; the key with the fewest running is next. */
export class FairLimit<K> {
  readonly #limits: FairLimits;
  readonly #running = new Map<K, number>();
  readonly #waiting = new Set<Waiting<K>>();
  #count = 0;

  constructor(limits: FairLimits) {
    this.#limits = limits;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Returns how many run with a key, or in all. */
  running(key?: K): number {
    return key === undefined ? this.#count : this.#runningOf(key);
  }

  /** Runs a function when the limits allow it. Rejects with `busy` if too many wait, and when it is cancelled. */
  async run<T>(key: K, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    if (this.#mayStart(key)) this.#start(key);
    else await this.#wait(key, signal);
    try {
      return await run();
    } finally {
      this.#end(key);
    }
  }

  #mayStart(key: K): boolean {
    const { places, perKey } = this.#limits;
    return this.#count < this.#shareOf(key, places) && this.#runningOf(key) < perKey;
  }

  /** Returns how many of all places a key may use. One key can therefore never use all places. */
  #shareOf(key: K, places: number): number {
    return this.#runningOf(key) === 0 ? places : places - Math.floor(places * KEPT_FREE);
  }

  #runningOf(key: K): number {
    return this.#running.get(key) ?? 0;
  }

  #start(key: K): void {
    this.#count += 1;
    this.#running.set(key, this.#runningOf(key) + 1);
  }

  #end(key: K): void {
    this.#count -= 1;
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left === 0) this.#running.delete(key);
    else this.#running.set(key, left);
    this.#startNext();
  }

  async #wait(key: K, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#shareOf(key, this.#limits.queue))
      throw ownError("busy", "Too many requests are running. Try again later.");
    let entry: Waiting<K> | undefined;
    const started = new Promise<void>((resolve) => {
      entry = { key, start: resolve };
      this.#waiting.add(entry);
    });
    try {
      await unlessAborted(signal, () => started);
    } catch (error) {
      // The request may just have been started.
      if (entry !== undefined && !this.#waiting.delete(entry)) this.#end(key);
      throw error;
    }
  }

  #startNext(): void {
    let next: Waiting<K> | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const one of this.#waiting) {
      const running = this.#runningOf(one.key);
      if (running >= fewest || !this.#mayStart(one.key)) continue;
      next = one;
      fewest = running;
    }
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#start(next.key);
    next.start();
  }
}

/** Limits the requests to servers. People share a server fairly. */
export interface ServerLimits {
  run<T>(server: string, person: string, signal: AbortSignal, run: () => Promise<T>): Promise<T>;
}

/** Creates limits of which each server has its own. */
export function createServerLimits(limitsOf: (server: string) => FairLimits): ServerLimits {
  const servers = new Map<string, FairLimit<string>>();
  return {
    run(server, person, signal, run) {
      const limit = servers.get(server) ?? new FairLimit<string>(limitsOf(server));
      servers.set(server, limit);
      return limit.run(person, signal, run);
    },
  };
}

/** Limits client requests. All of a person's requests share one limit, whatever the client. */
export class RequestLimits {
  /** The room for their messages. */
  readonly bodies: BodyBudget = new BodyBudget();
  /** The room for events that can be sent again. */
  readonly histories: HistoryRoom = new HistoryRoom();
  readonly #running: FairLimit<Client | string>;
  readonly #rate: RateLimit | undefined;

  constructor(
    { requests, requestsPerClient, queue }: Pick<GatewayLimits, "requests" | "requestsPerClient" | "queue">,
    rate?: RateLimit,
  ) {
    this.#running = new FairLimit({ places: requests, perKey: requestsPerClient, queue });
    this.#rate = rate;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#running.waiting;
  }

  /** Returns how many requests of a person run, or of all. */
  running(person?: string): number {
    return this.#running.running(person);
  }

  /** Runs a request when the limits allow it. Rejects with `busy` if too many wait, and when the request is cancelled. */
  async run<T>({ client, rights, method, signal }: ClientRequest, run: () => Promise<T>): Promise<T> {
    const person = rights?.principal.id;
    const waitMs = person === undefined || rights?.isPassedOn === true ? 0 : (this.#rate?.take(person) ?? 0);
    if (waitMs > 0) throw tooFast(waitMs);
    return UNLIMITED.has(method) ? run() : this.#running.run(person ?? client, signal, run);
  }
}
