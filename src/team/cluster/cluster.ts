import { randomUUID } from "node:crypto";
import { HostError } from "../../model/index.ts";
import {
  type Clock,
  delay,
  elapsed,
  type IncomingRequest,
  type Log,
  type OutgoingResponse,
  type PeerKey,
  type Peers,
  type RunningListener,
} from "../../platform/index.ts";
import { createSessionIds, type ServingCluster, sendError } from "../../serving/index.ts";
import type { GatewayNode, Store } from "../../store/index.ts";
import { type ClusterConfig, readAddress } from "../team-config.ts";
import { ClusterNode, NODE_TIMES, type NodeTimes } from "./cluster-node.ts";
import { CLIENT_ADDRESS, DETACHED, FOR_NODE, MISDIRECTED } from "./forward.ts";
import { Homes } from "./homes.ts";
import { Router } from "./router.ts";
import { SessionOwners } from "./session-owners.ts";

export interface ClusterContext {
  readonly id?: string;
  readonly config: ClusterConfig;
  readonly store: Store;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly log: Log;
  readonly bodyBytes: number;
  readonly times?: Partial<NodeTimes>;
  /** Answers a request that another node has passed on. */
  serve(request: IncomingRequest, response: OutgoingResponse, facts: PeerFacts): void;
  /** Ends a person's programs, because another node may run them. */
  end(person: string): Promise<void>;
  /** Disconnects a session that another node has taken over, or all. */
  forget(session?: { readonly id: string; readonly person: string }): Promise<void>;
  /** Counts a person's request. Returns how long to wait if there were too many. */
  take(person: string): number;
  onNodes(): void;
}

export interface DrainTimes {
  /** How long to wait until load balancers stop sending requests. */
  readonly waitMs: number;
  /** How long running calls may take. */
  readonly callsMs: number;
}

export const DRAIN_TIMES: DrainTimes = { waitMs: 5_000, callsMs: 25_000 };

/** The parts that a node shuts down when it ends. */
export interface Drained {
  /** Lets a session's calls end. */
  detach(session: { readonly id: string; readonly person: string }): Promise<void>;
  endStreams(): Promise<void>;
  /** Accepts no more client connections. */
  stopAccepting(): void;
  /** Ends a person's programs. */
  end(person: string): Promise<void>;
  /** Returns how many requests of a person run, or of all. */
  running(person?: string): number;
}

/** The data that a node sends with a forwarded request. */
export interface PeerFacts {
  readonly address: string;
  readonly isDetached: boolean;
}

const ASK_MS = 1_000;
const POLL_MS = 50;
const SETTLE_MS = 300;

/** This gateway as one of several that serve the same people. */
export class Cluster {
  readonly node: ClusterNode;
  readonly router: Router;
  readonly owners: SessionOwners;
  readonly homes: Homes;
  readonly #context: ClusterContext;
  readonly #listener: RunningListener;
  #isOver = false;

  private constructor(
    context: ClusterContext,
    listener: RunningListener,
    parts: Pick<Cluster, "node" | "owners" | "homes" | "router">,
  ) {
    this.#context = context;
    this.#listener = listener;
    this.node = parts.node;
    this.owners = parts.owners;
    this.homes = parts.homes;
    this.router = parts.router;
  }

  /** Listens for the other nodes, and joins them. */
  static async open(context: ClusterContext): Promise<Cluster> {
    const { config, store, peers, clock, log, bodyBytes } = context;
    const keys = (): readonly PeerKey[] => peerKeys(store);
    let opened: Cluster | undefined;
    const listener = await peers.listen(config.listen, keys, (request, response) => {
      if (opened === undefined) response.send(503, {});
      else opened.#answer(request, response);
    });
    const { host, port } = config.address ?? config.listen;
    const address = `${host.includes(":") ? `[${host}]` : host}:${port === 0 ? listener.port : port}`;
    try {
      const ask = (at: string, target: string): Promise<string> => askPeer(peers, keys, at, target);
      const node = await ClusterNode.join({
        id: context.id ?? randomUUID(),
        address,
        nodes: store.nodes,
        clock,
        log,
        times: { ...NODE_TIMES, ...context.times },
        isHealthy: async () =>
          (await ask(address, "/alive")) === "yes" && (await (store.revisions.isResponding?.() ?? true)),
        askPeers: (nodes) => askAll(nodes, (at) => ask(at, "/database")),
        onFenced: async () => {
          const people = opened?.homes.here() ?? [];
          await Promise.all([context.forget(), ...people.map((person) => context.end(person))]);
        },
        onNodes: () => context.onNodes(),
      });
      const owners = new SessionOwners(store, node, (id, person) => void context.forget({ id, person }));
      const ids = createSessionIds(() => store.keys.keysFor(SESSION_IDS));
      const homes = new Homes(store, node, clock);
      const router = new Router({
        node,
        owners,
        homes,
        take: (person) => context.take(person),
        peers,
        clock,
        log,
        bodyBytes,
        key: () => firstKey(keys()),
        isOurs: (id) => ids.isOurs(id),
      });
      opened = new Cluster(context, listener, { node, owners, homes, router });
      return opened;
    } catch (error) {
      await listener.close();
      throw error;
    }
  }

  /** Returns the state that one person's serving shares with the other nodes. */
  for(person: string): ServingCluster {
    const { owners, node } = this;
    const { store } = this.#context;
    return {
      node: node.id,
      keysFor: (purpose) => store.keys.keysFor(purpose === SESSION_IDS ? purpose : `${purpose} ${person}`),
      forward: (to, passed) =>
        this.router.forward({ ...passed, person, isForwarded: false, usesPrograms: false }, to, passed.body),
      tasks: {
        create: (task) => store.tasks.create({ ...task, person, status: "working" }),
        list: () => store.tasks.list(person),
        remove: async (id) => void (await store.tasks.remove(person, id)),
      },
      sessions: {
        create: (id, endpoint, state) => owners.create({ id, person, endpoint, state }),
        async load(id) {
          const row = await owners.load(id);
          return row?.person === person ? row : undefined;
        },
        update: (id, state) => owners.update(id, state),
        seen: (id) => owners.seen([id]),
        remove: (id) => owners.remove(id),
      },
    };
  }

  /** Hands all sessions over to the other nodes. Resolves when running calls have ended, or after `callsMs`. */
  async drain(
    { waitMs, callsMs }: DrainTimes,
    { detach, endStreams, stopAccepting, end, running }: Drained,
  ): Promise<void> {
    const { clock, log } = this.#context;
    await this.node.drain();
    if (this.node.successor() !== undefined) await delay(clock, waitMs);
    stopAccepting();
    const deadline = elapsed(clock) + callsMs;
    const untilIdle = async (person?: string): Promise<void> => {
      while (running(person) > 0 && elapsed(clock) < deadline) await delay(clock, POLL_MS);
    };
    await endStreams();
    const homes = new Set(this.homes.here());
    const handOver = async (id: string): Promise<void> => {
      const to = this.node.successor();
      if (to !== undefined) await this.owners.handOver(id, { node: to.id, epoch: to.epoch });
    };
    const sessions = this.owners.here();
    const moving = Array.from(homes, async (person) => {
      const release = this.router.hold(person);
      try {
        await untilIdle(person);
        await end(person);
        for (const { id } of sessions.filter((session) => session.person === person)) await handOver(id);
        await this.homes.release(person, this.node.successor());
      } finally {
        release();
      }
    });
    const detached = sessions
      .filter(({ person }) => !homes.has(person))
      .map(async (session) => {
        await handOver(session.id);
        void detach(session);
      });
    const results = await Promise.allSettled([...moving, ...detached]);
    const failed = results.filter(({ status }) => status === "rejected").length;
    log.log("info", "node.drained", { sessions: sessions.length, people: homes.size, failed });
    await untilIdle();
    await delay(clock, SETTLE_MS); // requests whose tokens are still being checked
    await untilIdle();
  }

  /** Announces to the other nodes that this one has no sessions left. */
  async leave(): Promise<void> {
    this.#isOver = true;
    this.owners.close();
    await this.node.leave();
  }

  async close(): Promise<void> {
    await this.#listener.close();
    this.#context.peers.close();
  }

  /** Answers a request of another node. */
  #answer(request: IncomingRequest, response: OutgoingResponse): void {
    const { store, serve } = this.#context;
    if (request.target === "/alive") return response.send(200, {}, "yes");
    if (request.target === "/database") {
      const reaches = (text: string) => (): void => response.send(200, {}, text);
      return void store.nodes.list().then(reaches("yes"), reaches("no"));
    }
    const { [FOR_NODE]: target, [CLIENT_ADDRESS]: address = "unknown" } = request.headers;
    if (this.#isOver || target !== `${this.node.id} ${this.node.epoch}`)
      return response.send(MISDIRECTED, {});
    try {
      serve(request, response, { address, isDetached: request.headers[DETACHED] !== undefined });
    } catch {
      sendError(response, 500, -32603, "Internal error.", {});
    }
  }
}

const SESSION_IDS = "session ids";

/** The name of a key does not reveal the key. */
function peerKeys({ keys }: Store): readonly PeerKey[] {
  const names = keys.keysFor("names of node keys");
  return keys.keysFor("nodes").map((key, index) => ({
    id: Buffer.from(names[index] ?? [])
      .toString("hex")
      .slice(0, 16),
    key,
  }));
}

function firstKey([key]: readonly PeerKey[]): PeerKey {
  if (key === undefined) throw new HostError("INTERNAL_BUG", "The key ring is empty.");
  return key;
}

async function askPeer(
  peers: Peers,
  keys: () => readonly PeerKey[],
  address: string,
  target: string,
): Promise<string> {
  const signal = AbortSignal.timeout(ASK_MS);
  const asked = { method: "GET", target, headers: {}, connectMs: ASK_MS, signal };
  const { body } = await peers.request(readAddress(address), firstKey(keys()), asked);
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}

/** Returns whether any node reaches the database; `undefined` if no node answers. */
async function askAll(
  nodes: readonly GatewayNode[],
  ask: (address: string) => Promise<string>,
): Promise<boolean | undefined> {
  const asked = nodes.flatMap(({ address }) =>
    address === undefined ? [] : [ask(address).catch(() => undefined)],
  );
  const answers = (await Promise.all(asked)).filter((answer) => answer !== undefined);
  return answers.length === 0 ? undefined : answers.includes("yes");
}
