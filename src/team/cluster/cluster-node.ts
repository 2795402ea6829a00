import { messageOf } from "../../model/index.ts";
import { type Clock, elapsed, type Log } from "../../platform/index.ts";
import type { GatewayNode, NodeStore } from "../../store/index.ts";
import { VERSION } from "../../version.ts";

/** Times of a node, which tests make smaller. All are in milliseconds. */
export interface NodeTimes {
  readonly heartbeatMs: number;
  /** The time after a node's last heartbeat, by the database's clock, after which other nodes take over its sessions. */
  readonly deadMs: number;
  /** The time after its last heartbeat, by its own monotonic clock, during which a node may use its sessions. */
  readonly sureMs: number;
}

export const NODE_TIMES: NodeTimes = { heartbeatMs: 5_000, deadMs: 15_000, sureMs: 12_000 };

/** If timers are delayed for longer, this process currently cannot be relied on. */
const MOST_LAG_MS = 1_000;
/** How long the other nodes' verdict is valid. */
const VERDICT_MS = 3_000;
/** How often a node that cannot reach the database tries again. */
const RETRY_MS = 1_000;
/** After this time, the row of a node that crashed is removed. */
const FORGOTTEN_MS = 3_600_000;

export interface NodeContext {
  readonly id: string;
  readonly address: string;
  readonly nodes: NodeStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: NodeTimes;
  /** Returns whether this node can be reached and receives change notifications. Heartbeats are sent only in that case. */
  isHealthy(): Promise<boolean>;
  /** Asks other nodes whether they reach the database. Resolves with `undefined` if no node answers. */
  askPeers(nodes: readonly GatewayNode[]): Promise<boolean | undefined>;
  /** Drops all sessions and programs of this node, because another node may have taken them over. */
  onFenced(): Promise<void>;
  /** Called when the list of nodes was read. */
  onNodes(): void;
}

/** This process among the gateways of a team: its epoch, its heartbeats, and the other nodes. */
export class ClusterNode {
  readonly #context: NodeContext;
  #epoch: number;
  #isDraining = false;
  /** When the last successful heartbeat was sent. */
  #sureSince: number;
  #nodes: readonly GatewayNode[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;
  #hadPeers = false;
  /** The result of asking other nodes while the database could not be reached. */
  #verdict: { readonly mayServe: boolean; readonly at: number } | undefined;
  #beating: Promise<boolean> | undefined;
  #listing: Promise<readonly GatewayNode[]> | undefined;
  #isOver = false;
  #turn = 0;
  #stopTimer = (): void => {};

  private constructor(context: NodeContext, epoch: number, sureSince: number) {
    this.#context = context;
    this.#epoch = epoch;
    this.#sureSince = sureSince;
  }

  static async join(context: NodeContext): Promise<ClusterNode> {
    const { id, address, nodes, clock, times } = context;
    const sentAt = elapsed(clock);
    const { epoch } = await nodes.join({ id, version: VERSION, address });
    const node = new ClusterNode(context, epoch, sentAt);
    await node.list();
    node.#beatLater(times.heartbeatMs);
    return node;
  }

  get id(): string {
    return this.#context.id;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The last list of nodes that was read. */
  get nodes(): readonly GatewayNode[] {
    return this.#nodes;
  }

  /** The number of nodes that serve clients, including this one. At least 1. */
  get liveCount(): number {
    const { deadMs } = this.#context.times;
    const live = this.#nodes.filter(({ ageMs, isDraining }) => ageMs < deadMs && !isDraining);
    return Math.max(1, live.length);
  }

  /** Returns another node that can take over sessions from this one, a different one each time. */
  successor(): GatewayNode | undefined {
    const { id, times } = this.#context;
    const others = this.#nodes.filter(
      (node) => node.id !== id && !node.isDraining && node.ageMs < times.deadMs && node.address !== undefined,
    );
    this.#turn += 1;
    return others[this.#turn % Math.max(1, others.length)];
  }

  /** Returns whether this node may use its sessions, without waiting. */
  mayServe(): boolean {
    const now = elapsed(this.#context.clock);
    if (now - this.#sureSince < this.#context.times.sureMs) return true;
    return this.#verdict !== undefined && this.#verdict.mayServe && now - this.#verdict.at < VERDICT_MS;
  }

  /** Returns whether this node may use its sessions. If that is uncertain, asks the database and then the other nodes. */
  async ensure(): Promise<boolean> {
    if (this.mayServe()) return true;
    const { clock } = this.#context;
    if (this.#verdict !== undefined && elapsed(clock) - this.#verdict.at < VERDICT_MS)
      return this.#verdict.mayServe;
    await this.#beat();
    return this.mayServe();
  }

  /** Returns a node if it is alive with this epoch, by the database's clock. */
  async findLive(id: string, epoch: number): Promise<GatewayNode | undefined> {
    const { clock, times } = this.#context;
    const sinceListed = elapsed(clock) - this.#listedAt;
    const known = this.#nodes.find((node) => node.id === id);
    const isRecent = known !== undefined && known.ageMs + sinceListed < times.deadMs * 0.6;
    if (isRecent && known.epoch === epoch) return known;
    const listed = await this.list().catch(() => undefined);
    // Without the database, no node can take over sessions, so the last known state is still valid.
    if (listed === undefined) return known?.epoch === epoch ? known : undefined;
    const found = listed.find((node) => node.id === id);
    return found !== undefined && found.epoch === epoch && found.ageMs < times.deadMs ? found : undefined;
  }

  /** Reads the nodes. Concurrent callers share one query. */
  async list(): Promise<readonly GatewayNode[]> {
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Announces to the other nodes that this one ends. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#beat();
  }

  async leave(): Promise<void> {
    this.#isOver = true;
    this.#stopTimer();
    await this.#beating;
    const { nodes, id, log } = this.#context;
    await nodes
      .leave(id)
      .catch((error: unknown) => log.log("debug", "node.leave.failed", { error: messageOf(error) }));
  }

  async #list(): Promise<readonly GatewayNode[]> {
    const { nodes, clock, id, times, onNodes } = this.#context;
    const at = elapsed(clock);
    this.#nodes = await nodes.list();
    this.#listedAt = at;
    this.#hadPeers ||= this.#nodes.some((node) => node.id !== id && node.ageMs < times.deadMs);
    onNodes();
    return this.#nodes;
  }

  #beatLater(ms: number): void {
    const { clock, times } = this.#context;
    const due = elapsed(clock) + ms;
    this.#stopTimer = clock.after(
      ms,
      () => {
        const isLate = elapsed(clock) - due > MOST_LAG_MS;
        // A process that was suspended asks only when it must be certain, or at its next heartbeat.
        const done = isLate && this.mayServe() ? Promise.resolve(true) : this.#beat();
        void done.then((arrived) => {
          if (!this.#isOver)
            this.#beatLater(arrived ? times.heartbeatMs : Math.min(RETRY_MS, times.heartbeatMs));
        });
      },
      { background: true },
    );
  }

  /** Sends a heartbeat. Resolves with whether it succeeded. Concurrent callers share one. */
  #beat(): Promise<boolean> {
    this.#beating ??= this.#sendHeartbeat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #sendHeartbeat(): Promise<boolean> {
    const { id, address, nodes, clock, log, isHealthy, onFenced } = this.#context;
    try {
      if (!(await isHealthy())) throw new Error("this node is not healthy");
      const sentAt = elapsed(clock);
      const isCurrent = await nodes.heartbeat(id, this.#epoch, this.#isDraining);
      if (!isCurrent) {
        log.log("warn", "node.fenced", { epoch: this.#epoch });
        this.#sureSince = Number.NEGATIVE_INFINITY;
        this.#verdict = undefined;
        await onFenced();
        const joined = await nodes.join({ id, version: VERSION, address });
        this.#epoch = joined.epoch;
      }
      this.#sureSince = sentAt;
      this.#verdict = undefined;
      const listed = await this.list();
      for (const node of listed) if (node.id !== id && node.ageMs > FORGOTTEN_MS) await nodes.leave(node.id);
      return true;
    } catch (error) {
      log.log("debug", "node.heartbeat.failed", { error: messageOf(error) });
      await this.#judge();
      return false;
    }
  }

  /** Checks whether other nodes could have taken over this node's sessions. */
  async #judge(): Promise<void> {
    const { clock, askPeers, id, log } = this.#context;
    if (elapsed(clock) - this.#sureSince < this.#context.times.sureMs / 2) return;
    const others = this.#nodes.filter((node) => node.id !== id);
    const peersReachIt = this.#hadPeers ? await askPeers(others).catch(() => undefined) : false;
    const mayServe = peersReachIt === false; // no node can take over, because none reaches the database
    if (this.#verdict?.mayServe !== mayServe) log.log("warn", "node.without.database", { mayServe });
    this.#verdict = { mayServe, at: elapsed(clock) };
  }
}
