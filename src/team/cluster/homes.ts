import { isHostError } from "../../model/index.ts";
import { type Clock, elapsed } from "../../platform/index.ts";
import type { Lease, Store } from "../../store/index.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { SessionPlace } from "./session-owners.ts";

/** Each node removes its own people's places. This only removes leftovers. */
const LEASE_MS = 86_400_000;
const RENEW_MS = 3_600_000;
const MOST_KNOWN = 100_000;

interface Home {
  readonly lease: Lease;
  readonly node: string;
  readonly epoch: number;
  readonly renewedAt: number;
}

/**
 * The node that runs the programs of each person. There is one at a time, because programs keep data in files. A place is valid as long as
 * its node has the same epoch, so it needs no renewals.
 */
export class Homes {
  readonly #store: Pick<Store, "leases" | "nodes">;
  readonly #node: ClusterNode;
  readonly #clock: Clock;
  /** Ordered by their last use. */
  readonly #known = new Map<string, Home>();
  readonly #finding = new Map<string, Promise<SessionPlace>>();

  constructor(store: Pick<Store, "leases" | "nodes">, node: ClusterNode, clock: Clock) {
    this.#store = store;
    this.#node = node;
    this.#clock = clock;
  }

  /** Returns where a person's programs run. If they do not run yet, that is this node. */
  find(person: string): Promise<SessionPlace> {
    const finding =
      this.#finding.get(person) ?? this.#find(person).finally(() => this.#finding.delete(person));
    this.#finding.set(person, finding);
    return finding;
  }

  /** Removes a person's place, because the programs no longer run there. */
  forget(person: string): void {
    this.#known.delete(person);
  }

  /** Makes a person's programs run on another node, or on the next one that needs them. */
  async release(person: string, to?: { readonly id: string; readonly epoch: number }): Promise<void> {
    const home = this.#known.get(person);
    this.#known.delete(person);
    if (home === undefined || !this.#isHere(home)) return;
    await this.#store.leases.release(home.lease);
    if (to !== undefined)
      await this.#store.leases.acquire(`home ${person}`, `${to.id} ${to.epoch}`, LEASE_MS);
  }

  /** Returns the people whose programs run here. */
  here(): readonly string[] {
    return Array.from(this.#known).flatMap(([person, home]) => (this.#isHere(home) ? [person] : []));
  }

  /** Releases a person's place that this node still has, so that another node can take it. */
  async takeFrom(person: string): Promise<void> {
    const home = this.#known.get(person);
    this.#known.delete(person);
    if (home !== undefined && !this.#isHere(home)) await this.#end(home);
  }

  async #find(person: string): Promise<SessionPlace> {
    for (;;) {
      const home = this.#known.get(person) ?? (await this.#read(person));
      if (home === undefined) continue;
      this.#remember(person, home);
      if (this.#isHere(home)) {
        if (await this.#renew(person, home)) return { kind: "here" };
        continue; // it was unused for a day, so another node may have it now
      }
      const { node, epoch } = home;
      const live = node === this.#node.id ? undefined : await this.#node.findLive(node, epoch);
      if (live?.address !== undefined)
        return { kind: "there", node, nodeEpoch: epoch, epoch: 0, address: live.address };
      await this.#end(home);
      this.#known.delete(person);
    }
  }

  /** Ends the place of a node that has ended. */
  async #end({ node, epoch, lease }: Home): Promise<void> {
    const known = this.#node.nodes.find(({ id }) => id === node);
    if (known?.epoch === epoch && node !== this.#node.id) await this.#store.nodes.fence(node, epoch);
    await this.#store.leases.release(lease);
  }

  /** Reads a person's place, and takes it if it is free. */
  async #read(person: string): Promise<Home | undefined> {
    const { leases } = this.#store;
    const key = `home ${person}`;
    const renewedAt = elapsed(this.#clock);
    const { id, epoch: current } = (this.#node.isDraining ? this.#node.successor() : undefined) ?? this.#node;
    const own = `${id} ${current}`;
    const lease = (await leases.get(key)) ?? (await leases.acquire(key, own, LEASE_MS));
    if (lease === undefined) return undefined;
    const [node = "", epoch] = lease.holder.split(" ");
    return { lease, node, epoch: Number(epoch), renewedAt };
  }

  /** Returns whether the place is still valid. Without the database, no node can take it. */
  async #renew(person: string, home: Home): Promise<boolean> {
    const now = elapsed(this.#clock);
    if (now - home.renewedAt < RENEW_MS) return true;
    const renewing = this.#store.leases.renew(home.lease, LEASE_MS);
    const isHeld = await renewing.catch((error: unknown) => {
      if (isHostError(error, "STORE_UNAVAILABLE")) return undefined;
      throw error;
    });
    if (isHeld === undefined) return true;
    if (isHeld) this.#remember(person, { ...home, renewedAt: now });
    else this.#known.delete(person);
    return isHeld;
  }

  #isHere({ node, epoch }: Home): boolean {
    return node === this.#node.id && epoch === this.#node.epoch;
  }

  #remember(person: string, home: Home): void {
    this.#known.delete(person);
    this.#known.set(person, home);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}
