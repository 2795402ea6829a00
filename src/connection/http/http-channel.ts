import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import {
  type Cancellation,
  type Clock,
  delay,
  type Http,
  type HttpResponse,
  settledWithin,
} from "../../platform/index.ts";
import type { Channel, Receive, SendOptions } from "../wire/channel.ts";
import { Inbox } from "../wire/inbox.ts";
import { isMessageId, type Message, type MessageId } from "../wire/message.ts";
import { serialize } from "../wire/serialize.ts";
import { failureOf, WireError } from "../wire/wire-error.ts";
import { exchange, readText, statusError } from "./exchange.ts";
import { addressed, type EventsRead, parseMessages, readEvents, tooComplex } from "./read-events.ts";
import { routingHeaders } from "./request-headers.ts";
import { UnusedBodies } from "./unused-bodies.ts";

/** The same as for a line or an event. */
const LARGEST_BODY = 16 * 1024 * 1024;
const LARGEST_REFUSAL = 64 * 1024;
/** How long to wait for the body of an error response. */
const REFUSAL_MS = 1_000;
const CLOSE_MS = 1_000;
const LINGER_MS = 1_000;
/** How many attempts in a row to resume a stream may deliver no event. */
const MOST_RESUMES = 5;
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [100, 30_000];

const POST_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
} as const;

export interface HttpChannelOptions {
  readonly http: Http;
  readonly clock: Clock;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Streamable HTTP: every message is a POST. Responses are JSON or an event stream. */
export class HttpChannel implements Channel {
  readonly transport = "http";
  readonly perRequest = true;
  readonly ended: Promise<void>;
  /** Called when the notification stream was lost and reopened. Notifications may have been missed. */
  onReopened: () => void = () => {};

  readonly #options: HttpChannelOptions;
  readonly #closing = new AbortController();
  #receive: Receive = () => {};
  #end: () => void = () => {};
  #session: string | undefined;
  #version: string | undefined;
  #modern = false;
  /** The cached headers of every POST, until the session or the version changes. */
  #standing: Readonly<Record<string, string>> | undefined;
  #retryMs = 1_000;
  /** Ends the notification stream. A new session has a new one. */
  #pushes = new AbortController();
  /** Streams that delivered their response but have not ended, each with a function that stops its timer. */
  readonly #lingering = new Map<HttpResponse, () => void>();
  readonly #unused: UnusedBodies;

  constructor(options: HttpChannelOptions) {
    this.#options = options;
    this.#unused = new UnusedBodies(options.clock);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get session(): string | undefined {
    return this.#session;
  }

  async start(receive: Receive): Promise<void> {
    this.#receive = (message, stream) => {
      if (this.#version === undefined) this.#learnVersion(message["result"]);
      receive(message, stream);
    };
  }

  /** The version applies from the response to `initialize` on, even before the handshake is complete. */
  #learnVersion(result: JsonValue | undefined): void {
    const version = isJsonObject(result) ? result["protocolVersion"] : undefined;
    if (typeof version !== "string") return;
    this.#version = version;
    this.#standing = undefined;
  }

  negotiated({ version, modern, pushes }: { version: string; modern: boolean; pushes: boolean }): void {
    this.#version = version;
    this.#modern = modern;
    this.#standing = undefined;
    this.#pushes.abort();
    if (modern || !pushes || this.#closing.signal.aborted) return;
    this.#pushes = new AbortController();
    void this.#listen(this.#pushes.signal);
  }

  async send(message: Message, { signal, headers }: SendOptions = {}): Promise<void> {
    const { http, url } = this.#options;
    const { method, id } = message;
    const session = this.#session;
    const request = {
      url,
      method: "POST",
      headers: this.#postHeaders(message, headers),
      body: serialize(message),
      signal: signal ?? this.#closing.signal,
    } as const;
    const response = await exchange(http, request, { repeatable: method !== "tools/call" });
    const { status } = response;
    if (status >= 400 || status < 200) return this.#refuse(message, response, session);
    if (method === "initialize") this.#useSession(response.headers.get("mcp-session-id"));
    if (!isMessageId(id) || method === undefined || status === 202) {
      const discarded = this.#unused.discard(response);
      // The server decides how many replies there are, so each counts until its response is over.
      return method === undefined ? discarded : undefined;
    }
    const type = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
    if (type === "application/json") await this.#readJson(response, id);
    else if (type === "text/event-stream") await this.#readStream(response, id, signal);
    else {
      response.cancel();
      throw new WireError(
        { kind: "notMcp" },
        `it returned ${type || "no content type"} instead of JSON or an event stream`,
      );
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#pushes.abort();
    this.#unused.close();
    for (const response of this.#lingering.keys()) this.#letGo(response);
    this.#end();
    if (this.#session === undefined || this.#modern) return;
    const { http, clock, url } = this.#options;
    const abort = new AbortController();
    const request = { url, method: "DELETE", headers: this.#headers(), signal: abort.signal } as const;
    // The response is not needed: the server ends an unused session by itself.
    const answered = http.request(request).then((response) => response.cancel());
    await settledWithin(clock, CLOSE_MS, answered);
    abort.abort();
  }

  /** Drops a session that the server no longer recognizes. Returns `false` if another request has already renewed it. */
  forgetSession(session: string): boolean {
    if (this.#session !== session) return this.#session === undefined;
    this.#useSession(undefined);
    return true;
  }

  #useSession(session: string | undefined): void {
    this.#session = session;
    this.#standing = undefined;
  }

  #postHeaders(message: Message, extra: SendOptions["headers"]): Readonly<Record<string, string>> {
    const { method, params } = message;
    if (method === "initialize") return { ...this.#options.headers, ...POST_HEADERS, ...extra };
    this.#standing ??= { ...this.#headers(), ...POST_HEADERS };
    const meta = isJsonObject(params) ? params["_meta"] : undefined;
    const claimed = isJsonObject(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined;
    if (typeof claimed !== "string" || typeof method !== "string")
      return extra === undefined ? this.#standing : { ...this.#standing, ...extra };
    const routing = routingHeaders(method, params as JsonObject);
    return { ...this.#standing, "mcp-protocol-version": claimed, ...routing, ...extra };
  }

  #headers(): Record<string, string> {
    return {
      ...this.#options.headers,
      ...(this.#version !== undefined && { "mcp-protocol-version": this.#version }),
      ...(this.#session !== undefined && { "mcp-session-id": this.#session }),
    };
  }

  /** Handles an error status. Prefers a JSON-RPC error in the body if it belongs to this request. */
  async #refuse(message: Message, response: HttpResponse, session: string | undefined): Promise<void> {
    const { status } = response;
    const { clock } = this.#options;
    let body = "";
    const reading = readText(response, LARGEST_REFUSAL).then((text) => {
      body = text;
    });
    await settledWithin(clock, REFUSAL_MS, reading);
    response.cancel();
    const [answer] = status === 401 || status === 403 ? [] : parseMessages(body);
    const error = isJsonObject(answer?.["error"]) ? answer["error"] : undefined;
    const isForAll = answer?.["id"] == null;
    if (session !== undefined && isSessionGone(status, isForAll ? error : undefined))
      throw new WireError({ kind: "sessionGone", session }, "it no longer recognizes this session");
    if (answer === undefined || error === undefined || !(isForAll || answer["id"] === message["id"]))
      throw statusError(response, clock, body);
    this.#receive({ ...answer, id: message["id"] ?? null });
  }

  async #readJson(response: HttpResponse, id: MessageId): Promise<void> {
    let count = 0;
    let failure: WireError | undefined;
    const inbox = new Inbox({
      receive: (message) => {
        count += 1;
        this.#receive(addressed(message, id));
      },
      onTooComplex: () => {
        failure = tooComplex();
      },
    });
    inbox.accept(await readText(response, LARGEST_BODY));
    await inbox.busy;
    if (failure === undefined && count === 0)
      failure = new WireError({ kind: "notMcp" }, "its response is not a JSON-RPC message");
    if (failure !== undefined) throw failure;
  }

  /** Reads a stream until the response. Resumes a stream that ends early, if the server supports it. */
  async #readStream(first: HttpResponse, id: MessageId, signal?: Cancellation): Promise<void> {
    let response: HttpResponse | undefined = first;
    let lastId: string | undefined;
    for (let vain = 0; ; vain += 1) {
      if (response !== undefined) {
        const read: EventsRead = await this.#readEvents(response, id);
        lastId = read.lastId ?? lastId;
        if (read.answered || lastId === undefined || this.#modern) return;
        if (read.count > 0) vain = 0;
      }
      if (vain >= MOST_RESUMES) return;
      await delay(this.#options.clock, this.#retryMs, signal);
      if (signal?.aborted || this.#closing.signal.aborted) return;
      response = await this.#get(signal ?? this.#closing.signal, lastId).catch((error: unknown) => {
        if (isTemporary(error)) return undefined;
        throw error;
      });
    }
  }

  #readEvents(response: HttpResponse, answerTo?: MessageId): Promise<EventsRead> {
    return readEvents(response, {
      answerTo,
      receive: (message) => this.#receive(message, answerTo),
      onRetry: (ms) => {
        this.#retryMs = Math.min(Math.max(ms, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
      },
      // Most servers end the stream now, so that the connection can be reused.
      onAnswer: () => {
        const stopTimer = this.#options.clock.after(LINGER_MS, () => this.#letGo(response));
        this.#lingering.set(response, stopTimer);
      },
      onEnd: () => this.#letGo(response),
    });
  }

  #letGo(response: HttpResponse): void {
    this.#lingering.get(response)?.();
    if (this.#lingering.delete(response)) response.cancel();
  }

  async #get(signal: Cancellation, lastId?: string): Promise<HttpResponse> {
    const { http, url, clock } = this.#options;
    const headers: Record<string, string> = { ...this.#headers(), accept: "text/event-stream" };
    if (lastId !== undefined) headers["last-event-id"] = lastId;
    const response = await exchange(http, { url, method: "GET", headers, signal }, { repeatable: true });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (response.status === 200 && isStream) return response;
    response.cancel();
    if (response.status === 200) throw new WireError({ kind: "notMcp" }, "it has no event stream");
    throw statusError(response, clock);
  }

  /** Reads the notification stream of a legacy server. Many servers have none, which is not an error. */
  async #listen(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let lastId: string | undefined;
    for (let opened = 0, vain = 0; !signal.aborted; vain += 1) {
      try {
        const response = await this.#get(signal, lastId);
        opened += 1;
        if (opened > 1 && lastId === undefined) this.onReopened();
        const read = await this.#readEvents(response);
        lastId = read.lastId ?? lastId;
        if (read.count > 0) vain = 0;
      } catch (error) {
        if (!isTemporary(error)) return;
      }
      // Waits at least as long as the server requests, with a random addition so that clients do not all return at once.
      const backoffMs = Math.min(this.#retryMs * 2 ** vain, LONGEST_RETRY_MS);
      await delay(clock, backoffMs * (1 + Math.random() / 4), signal);
    }
  }
}

/** Many servers return 400 instead of 404 for an unknown session, with a JSON-RPC error without an ID. */
function isSessionGone(status: number, error: JsonObject | undefined): boolean {
  return status === 404 || (status === 400 && (error?.["code"] === -32000 || error?.["code"] === -32001));
}

/** Returns whether a retry may succeed. */
function isTemporary(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure?.kind === "status") return failure.status >= 500 || failure.status === 429;
  return failure?.kind === "unreachable";
}
