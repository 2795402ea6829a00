import type { SessionRow, Store } from "../../store/index.ts";
import type { ClusterNode } from "./cluster-node.ts";

const MOST_KNOWN = 100_000;

/** Where a session is. */
export type SessionPlace =
  | { readonly kind: "here" }
  | { readonly kind: "unknown" }
  /** `epoch` is that of the session. */
  | {
      readonly kind: "there";
      readonly node: string;
      readonly nodeEpoch: number;
      readonly epoch: number;
      readonly address: string;
    };

type Owner = Pick<SessionRow, "person" | "endpoint" | "owner" | "ownerEpoch" | "epoch">;

/** Knows the node of each session. The database has the data; a row that was read is cached until another node takes the session over. */
export class SessionOwners {
  readonly #sessions: Store["sessions"];
  readonly #nodes: Store["nodes"];
  readonly #node: ClusterNode;
  readonly #onLost: (id: string, person: string) => void;
  /** Ordered by their last use. */
  readonly #known = new Map<string, Owner>();
  readonly #taking = new Map<string, Promise<void>>();
  /** Sessions that this node is handing over, so that their calls may go on. */
  readonly #leaving = new Set<string>();
  readonly #unsubscribe: () => void;
  takeovers = 0;

  /** `onLost` is called when another node has taken over a session that this node had. */
  constructor(
    { sessions, nodes, revisions }: Pick<Store, "sessions" | "nodes" | "revisions">,
    node: ClusterNode,
    onLost: (id: string, person: string) => void,
  ) {
    this.#sessions = sessions;
    this.#nodes = nodes;
    this.#node = node;
    this.#onLost = onLost;
    this.#unsubscribe = revisions.subscribe(({ kind, key }) => {
      if (kind === "session") void this.#moved(key).catch(() => {}); // it is read again with the next request
    });
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Returns where a person's session is. Takes it over if its owner has ended. */
  async find(id: string, person: string): Promise<SessionPlace> {
    for (;;) {
      const owner = await this.#read(id);
      if (owner === undefined || owner.person !== person) return { kind: "unknown" };
      const { owner: node, ownerEpoch: nodeEpoch, epoch } = owner;
      if (node === this.#node.id && nodeEpoch === this.#node.epoch) return { kind: "here" };
      const live = node === this.#node.id ? undefined : await this.#node.findLive(node, nodeEpoch);
      if (live?.address !== undefined)
        return { kind: "there", node, nodeEpoch, epoch, address: live.address };
      await this.takeOver(id);
    }
  }

  /** Creates a session of this node. */
  async create(session: Pick<SessionRow, "id" | "person" | "endpoint" | "state">): Promise<void> {
    const owner = { owner: this.#node.id, ownerEpoch: this.#node.epoch };
    await this.#sessions.create({ ...session, ...owner });
    this.#remember(session.id, { ...session, ...owner, epoch: 1 });
  }

  /** Returns a session of this node. */
  async load(id: string): Promise<SessionRow | undefined> {
    const row = await this.#sessions.get(id);
    if (row === undefined) return undefined;
    this.#remember(id, row);
    return row.owner === this.#node.id && row.ownerEpoch === this.#node.epoch ? row : undefined;
  }

  /** Replaces the state of a session that this node has. */
  async update(id: string, state: SessionRow["state"]): Promise<void> {
    const owner = this.#known.get(id);
    if (owner !== undefined) await this.#sessions.update(id, owner.epoch, state);
  }

  async remove(id: string): Promise<void> {
    this.#known.delete(id);
    await this.#sessions.remove(id);
  }

  seen(ids: readonly string[]): Promise<void> {
    return this.#sessions.seen(ids);
  }

  /** Removes the entry of a session, because its node no longer has it. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  /**
   * Takes a session over from a node that has ended. If several nodes try, one of them gets it. With `mayLive`, the session is also
   * taken from a running node, which then drops it.
   */
  async takeOver(id: string, { mayLive = false }: { readonly mayLive?: boolean } = {}): Promise<void> {
    const taking = this.#taking.get(id) ?? this.#takeOver(id, mayLive).finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    await taking;
  }

  /** Returns the sessions that this node has. */
  here(): readonly { readonly id: string; readonly person: string }[] {
    return Array.from(this.#known).flatMap(([id, { owner, ownerEpoch, person }]) =>
      owner === this.#node.id && ownerEpoch === this.#node.epoch ? [{ id, person }] : [],
    );
  }

  /** Gives a session to another node. */
  async handOver(id: string, to: { readonly node: string; readonly epoch: number }): Promise<boolean> {
    const owner = this.#known.get(id);
    if (owner === undefined) return false;
    this.#leaving.add(id); // the notice can arrive before the confirmation
    try {
      const row = await this.#sessions.takeOver(id, owner.epoch, to);
      if (row !== undefined) this.#remember(id, row);
      return row !== undefined;
    } finally {
      this.#leaving.delete(id);
    }
  }

  async #takeOver(id: string, mayLive: boolean): Promise<void> {
    const { id: node, epoch } = this.#node;
    const row = await this.#sessions.get(id);
    if (row === undefined) return this.forget(id);
    const known = this.#known.get(id);
    this.#remember(id, row);
    if (known !== undefined && known.epoch !== row.epoch) return; // another node was faster
    const owner = row.owner === node ? undefined : this.#node.nodes.find((each) => each.id === row.owner);
    // The owner may only be slow. It drops all its sessions when it notices that its epoch has changed.
    if (owner?.epoch === row.ownerEpoch && !mayLive) await this.#nodes.fence(row.owner, row.ownerEpoch);
    const taken = await this.#sessions.takeOver(id, row.epoch, { node, epoch });
    if (taken !== undefined) this.takeovers += 1;
    const current = taken ?? (await this.#sessions.get(id));
    if (current === undefined) this.forget(id);
    else this.#remember(id, current);
  }

  async #read(id: string): Promise<Owner | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) {
      this.#remember(id, known);
      return known;
    }
    const row = await this.#sessions.get(id);
    if (row !== undefined) this.#remember(id, row);
    return row;
  }

  #remember(id: string, { person, endpoint, owner, ownerEpoch, epoch }: Owner): void {
    this.#known.delete(id);
    this.#known.set(id, { person, endpoint, owner, ownerEpoch, epoch });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Handles the notice that a session, or any, was taken over. */
  async #moved(key: string): Promise<void> {
    const isHere = ({ owner }: Owner): boolean => owner === this.#node.id;
    const ids = key === "" ? Array.from(this.#known.keys()) : [key];
    for (const id of ids) {
      const known = this.#known.get(id);
      if (known === undefined) continue;
      if (!isHere(known) || this.#leaving.has(id)) {
        this.#known.delete(id);
        continue;
      }
      const row = await this.#sessions.get(id);
      if (row !== undefined) this.#remember(id, row);
      else this.#known.delete(id);
      if (row === undefined || !isHere(row)) this.#onLost(id, known.person);
    }
  }
}
