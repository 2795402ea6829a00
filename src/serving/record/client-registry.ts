import { createHash } from "node:crypto";
import { memoize } from "../../model/index.ts";
import { type Clock, elapsed } from "../../platform/index.ts";
import type { Client, ClientRequest } from "../client-request.ts";

const LONGEST_NAME = 256;
/** Clients without a conversation to end are forgotten after this time without requests. */
const FORGOTTEN_MS = 30 * 60 * 1_000;

/** A client that has sent a request. */
export interface KnownClient {
  /** The same as in the audit trail. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly transport: "stdio" | "http";
  readonly era: "legacy" | "modern";
  readonly endpoint: string;
  readonly since: number;
  readonly lastAt: number;
  readonly requests: number;
  readonly running: number;
  readonly canEnd: boolean;
}

/** How a client is connected. */
export interface ClientLink {
  readonly transport: "stdio" | "http";
  /** Ends the conversation. */
  disconnect?: (() => void | Promise<void>) | undefined;
}

interface Entry extends ClientLink {
  facts?: Pick<KnownClient, "name" | "version" | "era" | "endpoint" | "since">;
  lastAt: number;
  usedAt: number;
  requests: number;
  running: number;
}

/** The clients of a gateway and their requests. */
export class ClientRegistry {
  readonly #clock: Clock;
  readonly #clients = new Map<Client, Entry>();
  readonly #onChange: () => void;

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Adds a client that stays until `remove`. Others are added with their first request. */
  add(client: Client, link: ClientLink): void {
    this.#clients.set(client, { ...link, lastAt: 0, usedAt: 0, requests: 0, running: 0 });
  }

  remove(client: Client): void {
    if (this.#clients.delete(client)) this.#onChange();
  }

  /** Counts a request. Returns a function to call at its end. */
  start({ client, info = {}, era }: ClientRequest): () => void {
    if (!this.#clients.has(client)) this.add(client, { transport: "http" });
    const entry = this.#clients.get(client);
    if (entry === undefined) return () => {};
    const { name = entry.facts?.name, version = entry.facts?.version } = info;
    entry.lastAt = this.#clock.now();
    entry.usedAt = elapsed(this.#clock);
    const since = entry.facts?.since ?? entry.lastAt;
    entry.facts = {
      name: name?.slice(0, LONGEST_NAME),
      version: version?.slice(0, LONGEST_NAME),
      era,
      endpoint: client.endpoint.path,
      since,
    };
    entry.requests += 1;
    entry.running += 1;
    this.#onChange();
    return () => {
      entry.running -= 1;
      this.#onChange();
    };
  }

  /** Returns the clients that have sent a request, the most recent first. */
  all(): KnownClient[] {
    const now = elapsed(this.#clock);
    const found: KnownClient[] = [];
    for (const [client, entry] of this.#clients) {
      const { facts, transport, disconnect, lastAt, usedAt, requests, running } = entry;
      const isOver = disconnect === undefined && running === 0 && now - usedAt > FORGOTTEN_MS;
      if (isOver && transport === "http") this.#clients.delete(client);
      else if (facts !== undefined)
        found.push({
          id: clientHash(client),
          ...facts,
          transport,
          lastAt,
          requests,
          running,
          canEnd: disconnect !== undefined,
        });
    }
    return found.sort((one, other) => other.lastAt - one.lastAt);
  }

  /** Returns how many requests are being processed. */
  running(): number {
    return Array.from(this.#clients.values()).reduce((sum, { running }) => sum + running, 0);
  }

  /** Disconnects a client. Returns whether there was one that can be disconnected. */
  async end(id: string): Promise<boolean> {
    const found = Array.from(this.#clients).find(
      ([client, { disconnect }]) => disconnect !== undefined && clientHash(client) === id,
    );
    await found?.[1].disconnect?.();
    return found !== undefined;
  }
}

/** Identifies a conversation without revealing its id, which can be a session's secret. */
export const clientHash: (client: Pick<Client, "id">) => string = memoize(({ id }: Pick<Client, "id">) =>
  createHash("sha256").update(id).digest("hex").slice(0, 16),
);
