import { unlessAborted } from "../platform/index.ts";
import type { Client, ClientRequest } from "./client-request.ts";
import { ownError } from "./rpc-error.ts";

/** How much clients may use at once. */
export interface GatewayLimits {
  /** Requests of one client that run at the same time. Default: 32. */
  readonly requestsPerClient: number;
  /** Requests of all clients that run at the same time. Default: 256. */
  readonly requests: number;
  /** Requests that wait in the queue. More are refused as busy. Default: 100. */
  readonly queue: number;
  /** Sessions of legacy clients over HTTP. Beyond this, the least recently used session that runs nothing ends. Default: 2000. */
  readonly sessions: number;
  /** Streams that modern clients open with `subscriptions/listen`. More are refused as busy. Default: 256. */
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

/** The part of all places, and of the queue, that is kept free for clients without running requests. */
const KEPT_FREE = 1 / 8;

interface Waiting {
  readonly client: Client;
  start(): void;
}

/** Limits the number of running requests. Others wait; the client with the fewest running requests is next. */
export class RequestLimits {
  readonly #limits: Pick<GatewayLimits, "requests" | "requestsPerClient" | "queue">;
  readonly #running = new Map<Client, number>();
  readonly #waiting = new Set<Waiting>();
  #count = 0;

  constructor(limits: Pick<GatewayLimits, "requests" | "requestsPerClient" | "queue">) {
    this.#limits = limits;
  }

  /** Runs a request when the limits allow it. Rejects with `busy` if too many wait, and when the request is cancelled. */
  async run<T>({ client, method, signal }: ClientRequest, run: () => Promise<T>): Promise<T> {
    if (UNLIMITED.has(method)) return run();
    if (this.#mayStart(client)) this.#start(client);
    else await this.#wait(client, signal);
    try {
      return await run();
    } finally {
      this.#end(client);
    }
  }

  #mayStart(client: Client): boolean {
    const { requests, requestsPerClient } = this.#limits;
    return this.#count < this.#shareOf(client, requests) && this.#runningOf(client) < requestsPerClient;
  }

  /** Returns how many of all places a client may use. A client can then never take the last ones from all others. */
  #shareOf(client: Client, places: number): number {
    return this.#runningOf(client) === 0 ? places : places - Math.floor(places * KEPT_FREE);
  }

  #runningOf(client: Client): number {
    return this.#running.get(client) ?? 0;
  }

  #start(client: Client): void {
    this.#count += 1;
    this.#running.set(client, this.#runningOf(client) + 1);
  }

  #end(client: Client): void {
    this.#count -= 1;
    const left = (this.#running.get(client) ?? 1) - 1;
    if (left === 0) this.#running.delete(client);
    else this.#running.set(client, left);
    this.#startNext();
  }

  async #wait(client: Client, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#shareOf(client, this.#limits.queue))
      throw ownError("busy", "Too many requests are running. Try again later.");
    let entry: Waiting | undefined;
    const started = new Promise<void>((resolve) => {
      entry = { client, start: resolve };
      this.#waiting.add(entry);
    });
    try {
      await unlessAborted(signal, () => started);
    } catch (error) {
      // The request may just have been started.
      if (entry !== undefined && !this.#waiting.delete(entry)) this.#end(client);
      throw error;
    }
  }

  #startNext(): void {
    let next: Waiting | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const one of this.#waiting) {
      const running = this.#runningOf(one.client);
      if (running >= fewest || !this.#mayStart(one.client)) continue;
      next = one;
      fewest = running;
    }
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#start(next.client);
    next.start();
  }
}
