import { isJsonObject, messageOf } from "../../model/index.ts";
import {
  type Clock,
  delay,
  elapsed,
  type IncomingRequest,
  type Log,
  type OutgoingResponse,
  PeerFailure,
  type PeerKey,
  type Peers,
} from "../../platform/index.ts";
import { sendError } from "../../serving/index.ts";
import { readAddress } from "../team-config.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { CLIENT_ADDRESS, DETACHED, FOR_NODE, MISDIRECTED, passBack, passedOn, withBody } from "./forward.ts";
import type { Homes } from "./homes.ts";
import type { SessionOwners, SessionPlace } from "./session-owners.ts";

const SESSION = "mcp-session-id";
const FIRST_MODERN = "2026-07-28";
const INTERNAL_ERROR = -32603;
/** How long a node on the same network may take to accept a connection. */
const CONNECT_MS = 1_000;
/** How often it is checked whether the node that works on a request is still alive. */
const WATCH_MS = 1_000;
/** Longer than a node that sends no heartbeats stays alive. */
const LONGEST_DEATH_MS = 20_000;
/** How often a request is forwarded before it is refused. */
const MOST_ATTEMPTS = 6;
const TRY_LATER = { "retry-after": "1" } as const;

/** A request of a client whose sender is known. */
export interface Exchange {
  readonly request: IncomingRequest;
  readonly response: OutgoingResponse;
  /** Headers for the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client's address. */
  readonly address: string;
  readonly person: string;
  /** Whether another node has passed the request on. */
  readonly isForwarded: boolean;
  /** Whether the person may use programs, which run on one node at a time. */
  readonly usesPrograms: boolean;
  /** Whether it belongs to a call that continues here after its session has moved. */
  readonly isDetached?: boolean | undefined;
}

export interface RouterContext {
  readonly node: ClusterNode;
  readonly owners: SessionOwners;
  readonly homes: Homes;
  /** Counts a person's request. Returns how long to wait if there were too many. */
  take(person: string): number;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly log: Log;
  key(): PeerKey;
  /** The largest body, in bytes. */
  readonly bodyBytes: number;
  /** Returns whether a session id is one of ours. */
  isOurs(id: string): boolean;
}

/** `isSent`: the node may have processed the request. `isDead`: the node has ended. `isBack`: it can be reached again. */
type Outcome =
  | "answered"
  | "misdirected"
  | { readonly isSent: boolean; readonly isDead: boolean; readonly isBack: boolean };
type There = Extract<SessionPlace, { readonly kind: "there" }>;

/** Sends requests of legacy sessions to the node that has the session. */
export class Router {
  readonly #context: RouterContext;
  /** People whose new requests wait until their running requests have ended. */
  readonly #held = new Map<string, Promise<void>>();
  forwards = 0;

  constructor(context: RouterContext) {
    this.#context = context;
  }

  /** Answers a request, here with `serve` or by the node that has its session. */
  async route(exchange: Exchange, serve: (request: IncomingRequest) => Promise<void>): Promise<void> {
    const { request, response, headers, person, isForwarded, usesPrograms } = exchange;
    const id = sessionOf(request);
    if ((id === undefined && !usesPrograms) || exchange.isDetached === true) return serve(request);
    const { owners, homes, isOurs, node, take } = this.#context;
    if (id !== undefined && !isOurs(id)) return response.send(404, headers);
    let sent: IncomingRequest = request;
    let body: string | undefined;
    const held = this.#held.get(person);
    if (held !== undefined && request.method === "POST") {
      body = await request.readBody(this.#context.bodyBytes);
      if (body !== undefined) sent = withBody(request, body);
      // Responses and notifications belong to calls that still run here.
      if (isRequest(body)) await held;
    }
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      if (!(await node.ensure())) return this.#refuse(exchange);
      const place = await this.#find(exchange, id).catch(() => undefined);
      if (place === undefined) return this.#refuse(exchange);
      if (place.kind === "unknown") return response.send(404, headers);
      if (place.kind === "here") return serve(sent);
      if (isForwarded) return response.send(MISDIRECTED, {});
      const waitMs = attempt === 0 ? take(person) : 0;
      if (waitMs > 0) return tooMany(exchange, waitMs);
      if (request.method === "POST" && body === undefined) {
        body = await sent.readBody(this.#context.bodyBytes);
        if (body === undefined)
          return sendError(response, 413, -32600, "The body is too large.", {
            ...headers,
            connection: "close",
          });
        sent = withBody(request, body);
      }
      const outcome = await this.#pass(exchange, body, place);
      if (outcome === "answered") return;
      if (outcome === "misdirected") {
        homes.forget(person);
        if (id !== undefined) owners.forget(id);
        await node.list().catch(() => {}); // it may have another epoch now
        continue;
      }
      const isTaken = outcome.isDead && (await this.#takeFromDead(exchange, id));
      if (outcome.isSent && !isSafe(body)) return interrupted(exchange, body);
      // It cannot be reached from here but is running, or there is no database for a takeover.
      if (!isTaken && !outcome.isBack) break;
    }
    this.#refuse(exchange);
  }

  /** Returns where a request belongs. All sessions of a person with programs are where the programs run. */
  async #find({ person, usesPrograms }: Exchange, id: string | undefined): Promise<SessionPlace> {
    const { owners, homes } = this.#context;
    const home: SessionPlace = usesPrograms ? await homes.find(person) : { kind: "here" };
    if (id === undefined || home.kind !== "here") return home;
    const place = await owners.find(id, person);
    if (!usesPrograms || place.kind !== "there") return place;
    await owners.takeOver(id, { mayLive: true }); // its programs ran on another node before
    return owners.find(id, person);
  }

  /** Takes over the sessions of a dead node. Returns `false` if the database cannot be reached. */
  async #takeFromDead({ person, usesPrograms }: Exchange, id: string | undefined): Promise<boolean> {
    const { owners, homes, log } = this.#context;
    try {
      if (usesPrograms) await homes.takeFrom(person);
      else if (id !== undefined) await owners.takeOver(id);
      return true;
    } catch (error) {
      log.log("warn", "node.takeover.failed", { error: messageOf(error) });
      return false;
    }
  }

  /** Holds a person's new requests until the returned function is called. */
  hold(person: string): () => void {
    let release = (): void => {};
    this.#held.set(person, new Promise((resolve) => (release = resolve)));
    return () => {
      this.#held.delete(person);
      release();
    };
  }

  /** Passes a request on to a node. Resolves with `false` if the node has ended or did not get it. */
  async forward(exchange: Exchange, to: string, body: string): Promise<boolean> {
    const target = this.#context.node.nodes.find(({ id }) => id === to);
    if (target?.address === undefined || exchange.isForwarded) return false;
    const { id, epoch, address } = target;
    const place: There = { kind: "there", node: id, nodeEpoch: epoch, epoch: 0, address };
    const outcome = await this.#pass(exchange, body, place);
    if (outcome === "answered") return true;
    if (outcome === "misdirected" || !outcome.isSent || isSafe(body)) return false;
    interrupted(exchange, body);
    return true;
  }

  #refuse({ response, headers }: Exchange): void {
    sendError(response, 503, INTERNAL_ERROR, "The gateway cannot reach its database. Try again.", {
      ...headers,
      ...TRY_LATER,
    });
  }

  async #pass(exchange: Exchange, body: string | undefined, place: There): Promise<Outcome> {
    const { request, response, headers, address } = exchange;
    const { peers, key, log, clock } = this.#context;
    const abort = new AbortController();
    response.onClose(() => abort.abort());
    const watch = this.#watch(place, () => abort.abort());
    this.forwards += 1;
    let hasAnswer = false;
    try {
      const answer = await peers.request(readAddress(place.address), key(), {
        method: request.method,
        target: request.target,
        headers: {
          ...passedOn(request.headers),
          [FOR_NODE]: `${place.node} ${place.nodeEpoch}`,
          [CLIENT_ADDRESS]: address,
          ...(exchange.isDetached === true && { [DETACHED]: "1" }),
        },
        body,
        connectMs: CONNECT_MS,
        signal: abort.signal,
      });
      if (answer.status === MISDIRECTED) {
        for await (const _ of answer.body); // frees the connection
        return "misdirected";
      }
      hasAnswer = true;
      await passBack(answer, response, headers, clock);
      return "answered";
    } catch (error) {
      if (!(error instanceof PeerFailure)) throw error;
      if (watch.hasEnded()) return { isSent: true, isDead: true, isBack: false };
      if (abort.signal.aborted) return "answered"; // the client has disconnected
      log.log("info", "node.unreachable", { node: place.node, kind: error.kind, hasAnswer });
      // A node that was reached may be slow, or the network between the nodes may be broken.
      const state = error.kind === "refused" ? "dead" : await this.#untilDead(place);
      return { isSent: error.kind === "lost", isDead: state === "dead", isBack: state === "back" };
    } finally {
      watch.stop();
    }
  }

  /** Calls `onDead` when a node is dead by the database's clock. */
  #watch({ node, nodeEpoch }: There, onDead: () => void): { stop(): void; hasEnded(): boolean } {
    const { clock } = this.#context;
    let stopTimer = (): void => {};
    let hasEnded = false;
    const later = (): void => {
      stopTimer = clock.after(WATCH_MS, () => void look(), { background: true });
    };
    const look = async (): Promise<void> => {
      const live = await this.#context.node.findLive(node, nodeEpoch).catch(() => "unknown" as const);
      hasEnded = live === undefined;
      if (hasEnded) onDead();
      else later();
    };
    later();
    return { stop: () => stopTimer(), hasEnded: () => hasEnded };
  }

  /** Waits until it is known whether a node is dead. A node whose port refuses connections counts as dead. `away`: only this node cannot reach it. */
  async #untilDead({ node, nodeEpoch, address }: There): Promise<"dead" | "back" | "away"> {
    const { clock, peers, key } = this.#context;
    const began = elapsed(clock);
    while (elapsed(clock) - began < LONGEST_DEATH_MS) {
      if ((await this.#context.node.findLive(node, nodeEpoch).catch(() => undefined)) === undefined)
        return "dead";
      try {
        const signal = AbortSignal.timeout(CONNECT_MS);
        const asked = { method: "GET", target: "/alive", headers: {}, connectMs: CONNECT_MS, signal };
        const { body } = await peers.request(readAddress(address), key(), asked);
        for await (const _ of body);
        return "back";
      } catch (error) {
        if (error instanceof PeerFailure && error.kind === "refused") return "dead";
      }
      await delay(clock, WATCH_MS / 4);
    }
    return "away";
  }
}

/** Returns the session that a request is for. Modern requests have none. */
function sessionOf({ headers }: IncomingRequest): string | undefined {
  return (headers["mcp-protocol-version"] ?? "") >= FIRST_MODERN ? undefined : headers[SESSION];
}

function isRequest(body: string | undefined): boolean {
  const { method, id } = messageIn(body);
  return method !== undefined && id !== undefined;
}

/** Returns whether a request can be sent again although a node may have worked on it. */
function isSafe(body: string | undefined): boolean {
  return messageIn(body)["method"] !== "tools/call";
}

function messageIn(body: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const message: unknown = JSON.parse(body ?? "{}");
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
}

function tooMany({ response, headers }: Exchange, waitMs: number): void {
  const data = { reason: "rate_limited", retryAfterMs: waitMs };
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1_000)));
  sendError(
    response,
    429,
    INTERNAL_ERROR,
    "Too many requests. Try again later.",
    { ...headers, "retry-after": seconds },
    data,
  );
}

function interrupted({ response, headers }: Exchange, body: string | undefined): void {
  const { id } = messageIn(body);
  const text = "The call was interrupted, because its gateway ended. It may have been done in part.";
  const isId = typeof id === "string" || typeof id === "number";
  sendError(response, 200, INTERNAL_ERROR, text, headers, { reason: "interrupted" }, isId ? id : null);
}
