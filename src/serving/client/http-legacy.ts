import { type JsonObject, LEGACY_VERSIONS } from "../../model/index.ts";
import { delay, elapsed, type IncomingRequest, type OutgoingResponse } from "../../platform/index.ts";
import { scopeIn } from "../access/check-rights.ts";
import { clientKey, type Rights } from "../access/rights.ts";
import type { Client, ClientFacts, ClientRequest } from "../client-request.ts";
import { cancelled, MOVED, movedAnswer } from "../cluster/moved-answer.ts";
import { passAnswer } from "../cluster/pass-answer.ts";
import type { Endpoint } from "../endpoint.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { capabilitiesOf, legacyVersion, unknownMethod } from "../relay/dispatch.ts";
import { subscribe } from "../relay/subscribe.ts";
import { ownError } from "../rpc-error.ts";
import { ROOTS_CHANGED } from "../server-requests/client-roots.ts";
import { answerRequest } from "./answer-request.ts";
import {
  type ClientMessage,
  clientInfo,
  type MessageId,
  UNANNOUNCED,
  unsupportedVersion,
  withoutExcluded,
} from "./client-messages.ts";
import { ClientRequests } from "./client-requests.ts";
import { EventHistory } from "./event-history.ts";
import { HttpAnswer, type Resumable } from "./http-answer.ts";
import type { HttpMessage } from "./http-message.ts";
import { resumeStream } from "./resume-stream.ts";
import type { SessionRecords, SessionState } from "./saved-sessions.ts";

const SESSION = "mcp-session-id";
/** Earlier versions have no empty event at the beginning of a stream, and some clients cannot read it. */
const PRIMED_SINCE = "2025-11-25";
/** Node's timers fire immediately if the delay is longer. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** How often to check whether calls have ended. */
const POLL_MS = 50;

/** Requests that change what a session needs after a restart. */
const CHANGES_SESSION: ReadonlySet<string> = new Set([
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);

/** The session of a legacy client. */
interface Session {
  readonly id: string;
  readonly client: Client;
  readonly facts: ClientFacts;
  readonly requests: ClientRequests;
  readonly running: Map<MessageId, AbortController>;
  readonly resumable: Resumable;
  /** Whether an earlier process started it. */
  readonly isContinued: boolean;
  /** The stream for messages outside of requests. A client that lost its connection can continue it. */
  stream: HttpAnswer | undefined;
  /** The open connections of such streams. */
  openStreams: number;
  usedAt: number;
  stopTimer(): void;
  removeListener(): void;
}

type Headers = Readonly<Record<string, string>>;

/** Legacy clients over HTTP: sessions, and requests without one. */
export class HttpLegacy {
  readonly #context: GatewayContext;
  /** The sessions on disk, which this process or an earlier one has started. */
  readonly #saved: SessionRecords;
  readonly #address: () => string;
  /** The sessions of an earlier process that are being continued. */
  readonly #continuing = new Map<string, Promise<Session | undefined>>();
  /** Ordered by their last use. */
  readonly #sessions = new Map<string, Session>();
  /** One client per endpoint for all requests without a session, so that they share one client's limits. */
  readonly #stateless = new Map<string, Client>();

  constructor(context: GatewayContext, saved: SessionRecords, address: () => string) {
    this.#context = context;
    this.#saved = saved;
    this.#address = address;
  }

  /** Handles a request without a body, which opens a session's stream or ends the session. */
  async handle(
    endpoint: Endpoint,
    request: IncomingRequest,
    response: OutgoingResponse,
    headers: Headers,
    rights?: Rights,
  ): Promise<void> {
    const id = request.headers[SESSION];
    if (id === undefined) return response.send(405, { ...headers, allow: "POST" });
    const session = await this.#find(id, endpoint);
    if (session === undefined) return response.send(404, headers);
    if (request.method === "DELETE") {
      await this.#end(session);
      return response.send(204, headers);
    }
    session.client.rights = rights;
    const last = request.headers["last-event-id"];
    const isKnown = last !== undefined && session.resumable.history.after(last) !== undefined;
    if (last !== undefined && (isKnown || !session.isContinued))
      return resumeStream(session, last, response, headers);
    const stream = new HttpAnswer(response, this.#context, headers, session.resumable);
    session.stream?.finish(200, undefined); // a client has one stream, so a new one replaces the old one
    session.stream = stream;
    session.openStreams += 1;
    response.onClose(() => {
      session.openStreams -= 1;
    });
    stream.open();
    if (last !== undefined) this.#announceLists(session); // the client may have missed changes before the restart
  }

  async post(post: HttpMessage): Promise<void> {
    const { endpoint, request, response, message, headers } = post;
    const version = request.headers["mcp-protocol-version"];
    if (message.kind === "request" && message.method === "initialize") return this.#initialize(post);
    if (version !== undefined && !LEGACY_VERSIONS.includes(version)) throw unsupportedVersion(version);
    const id = request.headers[SESSION];
    const session = id === undefined ? undefined : await this.#find(id, endpoint);
    if (id !== undefined && session === undefined) return response.send(404, headers);
    if (message.kind === "request") {
      await this.#answer(post, message, session ?? this.#withoutSession(post));
      if (session !== undefined && CHANGES_SESSION.has(message.method)) void this.#save(session);
      return;
    }
    if (message.kind === "answer") {
      const isKnown = session?.requests.answer(message.id, message.message) ?? true;
      if (!isKnown && (await passAnswer(this.#context.cluster, post, message))) return;
    } else if (message.method === "notifications/cancelled") cancel(session, message.params);
    else if (message.method === ROOTS_CHANGED && session !== undefined) session.client.roots = undefined;
    response.send(202, headers);
  }

  /** The number of sessions. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Lets a session's calls end, while another process continues it. */
  async detach(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    session.stream?.finish(200, undefined);
    while (session.running.size > 0) await delay(this.#context.workspace.ports.clock, POLL_MS);
    await this.forget(id);
  }

  /** Disconnects a session, or all, that another process may continue. */
  async forget(id?: string): Promise<void> {
    const forgotten = Array.from(this.#sessions.values()).filter(
      (session) => id === undefined || session.id === id,
    );
    await Promise.all(forgotten.map((session) => this.#leave(session, MOVED)));
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#sessions.values(), (session) => this.#leave(session)));
    await this.#saved.settled();
  }

  async #initialize(post: HttpMessage): Promise<void> {
    const { endpoint, message, headers, rights } = post;
    if (message.kind !== "request") return;
    if (this.#context.isFull()) throw ownError("busy", "The gateway has little memory left.");
    const { params } = message;
    const version = legacyVersion(params);
    const facts = {
      era: "legacy",
      version,
      capabilities: capabilitiesOf(params, version),
      info: clientInfo(params["clientInfo"]),
    } as const;
    this.#makeRoom();
    const session = this.#createSession(this.#saved.ids.create(), endpoint, { facts, rights });
    await this.#save(session).catch(async (error: unknown) => {
      await this.#leave(session);
      throw error;
    });
    await this.#answer({ ...post, headers: { ...headers, [SESSION]: session.id } }, message, session);
  }

  /** Ends the session that was unused for the longest time, if there are too many. Others are in use, so they are kept. */
  #makeRoom(): void {
    if (this.#sessions.size < this.#context.limits.sessions) return;
    for (const session of this.#sessions.values()) if (!isInUse(session)) return void this.#end(session);
    throw ownError("busy", "Too many sessions are in use. Try again later.");
  }

  #createSession(
    id: string,
    endpoint: Endpoint,
    { facts, rights, saved }: { facts: ClientFacts; rights?: Rights | undefined; saved?: SessionState },
  ): Session {
    const client: Client = {
      id,
      endpoint,
      rights,
      isLocal: this.#context.isLocal,
      logLevel: saved?.logLevel,
      notify: (method, params) => session.stream?.send({ jsonrpc: "2.0", method, params }),
    };
    const session: Session = {
      id,
      client,
      facts,
      requests: new ClientRequests(this.#context.workspace.ports.clock, this.#context.cluster?.node),
      running: new Map(),
      resumable: {
        history: new EventHistory(this.#context.workspace.ports.clock, this.#context.requestLimits.histories),
        isPrimed: facts.version >= PRIMED_SINCE,
      },
      isContinued: saved !== undefined,
      stream: undefined,
      openStreams: 0,
      usedAt: elapsed(this.#context.workspace.ports.clock),
      stopTimer() {},
      removeListener: this.#context.listeners.add({
        endpoint,
        rights: () => client.rights,
        kinds: new Set(["tools", "resources", "prompts"]),
        notify: client.notify,
      }),
    };
    this.#sessions.set(id, session);
    this.#watchIdle(session);
    this.#context.records.clients.add(client, {
      transport: "http",
      disconnect: () => this.#end(session),
    });
    return session;
  }

  /** Ends a session that was not used for a long time. An open request or stream counts as use. */
  #watchIdle(session: Session): void {
    const { idleSessionMs } = this.#context.limits;
    const { clock } = this.#context.workspace.ports;
    const check = (): void => {
      if (isInUse(session)) this.#use(session);
      if (elapsed(clock) - session.usedAt >= idleSessionMs) void this.#end(session);
      else this.#watchIdle(session);
    };
    const left = Math.min(Math.max(1, session.usedAt + idleSessionMs - elapsed(clock)), LONGEST_TIMER_MS);
    session.stopTimer = clock.after(left, check, { background: true });
  }

  /** Some clients lose their session id. They are served without capabilities, as one client. */
  #withoutSession({ endpoint, request, rights }: HttpMessage): Pick<Session, "client" | "facts"> {
    const version = request.headers["mcp-protocol-version"] ?? UNANNOUNCED.version;
    const key = clientKey(endpoint, rights);
    const client: Client = this.#stateless.get(key) ?? {
      id: `stateless ${key}`,
      isStateless: true,
      endpoint,
      isLocal: this.#context.isLocal,
      logLevel: undefined,
      notify: () => {},
    };
    client.endpoint = endpoint; // its rules may have changed since the last request
    this.#stateless.set(key, client);
    return { client, facts: { ...UNANNOUNCED, version } };
  }

  /** Answers a request. The call continues if the client disconnects, because that does not cancel it. */
  async #answer(
    { response, headers, rights }: HttpMessage,
    { id, method, params }: ClientMessage & { readonly kind: "request" },
    { client, facts, requests, running, resumable }: Pick<Session, "client" | "facts"> & Partial<Session>,
  ): Promise<void> {
    const answer = new HttpAnswer(response, this.#context, headers, resumable);
    const abort = new AbortController();
    const { era, version, capabilities, info } = withoutExcluded(
      facts,
      this.#context.workspace.inventory().settings,
    );
    const request: ClientRequest = {
      era,
      version,
      capabilities,
      info,
      client,
      rights,
      relayed: {},
      method,
      params,
      signal: abort.signal,
      notify: (notice, content) => answer.send({ jsonrpc: "2.0", method: notice, params: content }),
      ask: (asked, content, signal) =>
        requests === undefined
          ? Promise.reject(unknownMethod(asked))
          : requests.ask((sent) => answer.send(sent, { isRequest: true }), asked, content, signal),
    };
    running?.set(id, abort);
    const result = await answerRequest(this.#context, request, id).finally(() => running?.delete(id));
    const scope = result?.error && scopeIn(result.error);
    if (scope !== undefined && rights !== undefined)
      return result?.sent(
        answer.finish(403, result.message, rights.scopeChallenge(client.endpoint.path, scope)),
      );
    result?.sent(answer.finish(200, result.message));
    if (result === undefined && abort.signal.reason === MOVED)
      answer.finish(...movedAnswer(id, method, rights?.isPassedOn === true));
    else if (result === undefined) answer.finish(200, cancelled(id));
  }

  async #find(id: string, endpoint: Endpoint): Promise<Session | undefined> {
    // Only known ids can be in the map, so their tags need no check.
    const session = this.#sessions.get(id) ?? (await this.#continue(id, endpoint));
    if (session === undefined || session.client.endpoint.path !== endpoint.path) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    this.#use(session);
    return session;
  }

  #use(session: Session): void {
    const { client, facts } = session;
    session.usedAt = elapsed(this.#context.workspace.ports.clock);
    this.#saved.touch(this.#placeOf(client.endpoint), client, facts);
  }

  /** Continues a session of an earlier process at the same address. Its clients need not know that there was another one. */
  async #continue(id: string, endpoint: Endpoint): Promise<Session | undefined> {
    if (!this.#saved.ids.isOurs(id)) return undefined;
    const started = this.#continuing.get(id);
    if (started !== undefined) return started;
    const continuing = (async () => {
      const saved = await this.#saved.find(this.#placeOf(endpoint), id);
      if (saved === undefined) return undefined;
      if (this.#context.closing.aborted) throw ownError("busy", "The gateway is closing.");
      this.#makeRoom();
      const session = this.#createSession(id, endpoint, { facts: saved.facts, saved });
      for (const uri of saved.subscriptions) void this.#subscribeAgain(session, uri);
      return session;
    })().finally(() => this.#continuing.delete(id));
    this.#continuing.set(id, continuing);
    return continuing;
  }

  async #subscribeAgain({ client, facts }: Session, uri: string): Promise<void> {
    const request: ClientRequest = {
      ...withoutExcluded(facts, this.#context.workspace.inventory().settings),
      client,
      relayed: {},
      method: "resources/subscribe",
      params: { uri },
      signal: new AbortController().signal,
      notify: () => {},
      ask: (asked) => Promise.reject(unknownMethod(asked)),
    };
    await subscribe(this.#context, request).catch(() => {}); // the server may be gone
  }

  #announceLists({ client }: Session): void {
    for (const kind of ["tools", "resources", "prompts"])
      client.notify(`notifications/${kind}/list_changed`, {});
  }

  #save({ client, facts }: Session): Promise<void> {
    return this.#saved.save(this.#placeOf(client.endpoint), client, facts);
  }

  /** Sessions are valid only at the address where they were started, and for the same folder. */
  #placeOf({ path }: Endpoint): string {
    return `${this.#address()}${path} ${this.#context.workspace.environment.cwd}`;
  }

  async #end(session: Session): Promise<void> {
    await Promise.all([this.#saved.remove(session.id), this.#leave(session)]);
  }

  /** Disconnects a session. Another process can continue it. */
  async #leave(session: Session, why?: Error): Promise<void> {
    this.#sessions.delete(session.id);
    this.#saved.leave(session.id);
    session.stopTimer();
    session.removeListener();
    this.#context.records.clients.remove(session.client);
    session.stream?.finish(200, undefined);
    session.resumable.history.clear();
    for (const abort of session.running.values()) abort.abort(why);
    this.#context.tasks.end(session.client);
    await this.#context.subscriptions.end(session.client);
    await this.#context.upstreams.leave(session.client);
  }
}

/** Returns whether a session has requests or streams. */
function isInUse({ running, openStreams }: Session): boolean {
  return running.size > 0 || openStreams > 0;
}

function cancel(session: Session | undefined, { requestId }: JsonObject): void {
  if (typeof requestId === "string" || typeof requestId === "number")
    session?.running.get(requestId)?.abort();
}
