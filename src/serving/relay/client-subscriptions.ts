import type { Client } from "../client-request.ts";
import { ownError } from "../rpc-error.ts";

/** How many resources one client may subscribe to. */
export const MOST_PER_CLIENT = 1_000;

export type Unsubscribe = () => Promise<void>;

/** The subscriptions of legacy clients. A server gets one subscription per connection and URI; the connection counts the clients. */
export class ClientSubscriptions {
  /** By client and not by its id, which borrowers of a server share. */
  readonly #clients = new Map<Client, Map<string, Promise<Unsubscribe>>>();

  /** Adds a subscription unless the client already has it. Resolves when the server has accepted it. */
  async add(client: Client, address: string, subscribe: () => Promise<Unsubscribe>): Promise<void> {
    const mine = this.#clients.get(client) ?? new Map<string, Promise<Unsubscribe>>();
    this.#clients.set(client, mine);
    if (!mine.has(address) && mine.size >= MOST_PER_CLIENT)
      throw ownError("busy", `The client has ${MOST_PER_CLIENT} subscriptions already.`);
    const subscribing = mine.get(address) ?? subscribe();
    mine.set(address, subscribing);
    try {
      await subscribing;
    } catch (error) {
      if (mine.get(address) === subscribing) mine.delete(address);
      throw error;
    }
  }

  /** Returns what a client subscribed to, as it wrote the addresses. */
  addressesOf(client: Client): Iterable<string> {
    return this.#clients.get(client)?.keys() ?? [];
  }

  /** Removes a subscription of the client, if it has one. */
  async remove(client: Client, address: string): Promise<void> {
    const mine = this.#clients.get(client);
    const subscribing = mine?.get(address);
    mine?.delete(address);
    if (subscribing !== undefined) await stop(subscribing);
  }

  /** Removes all subscriptions of a client that has ended. */
  async end(client: Client): Promise<void> {
    const mine = this.#clients.get(client);
    this.#clients.delete(client);
    await Promise.all(Array.from(mine?.values() ?? [], stop));
  }
}

/** Ends a subscription, even if the server has not accepted it yet. */
export function stop(subscribing: Promise<Unsubscribe>): Promise<void> {
  return subscribing.then(
    (end) => end(),
    () => {}, // it never began
  );
}
