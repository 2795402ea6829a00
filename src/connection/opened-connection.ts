import {
  isHostError,
  type JsonObject,
  type QuestionHandlers,
  type Redactor,
  type ServerFacts,
  sharedRun,
} from "../model/index.ts";
import { type Clock, delay } from "../platform/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import type {
  Connection,
  ConnectionEnd,
  NotificationListener,
  RequestOptions,
  TaskJournal,
} from "./connection.ts";
import { HttpChannel } from "./http/http-channel.ts";
import { ToolHeaders } from "./http/tool-headers.ts";
import { Liveness, PROBE_MS } from "./liveness.ts";
import { describeProcessEnd } from "./process-end.ts";
import { toRequestError } from "./request-error.ts";
import { remedyFor } from "./request-remedy.ts";
import { resendDelayMs } from "./resend.ts";
import type { ServerLogHandler } from "./server-log-handler.ts";
import type { StdioChannel } from "./stdio-channel.ts";
import type { ServerRequestHandler } from "./wire/answer-server.ts";
import { isAnswering } from "./wire/answering-context.ts";
import type { Channel } from "./wire/channel.ts";
import { type Agreement, modernParams } from "./wire/era.ts";
import { type HandshakeOptions, performHandshake } from "./wire/handshake.ts";
import { listen } from "./wire/listen.ts";
import type { Peer, PeerRequest } from "./wire/peer.ts";
import { sendInEra } from "./wire/send-in-era.ts";
import { TaskTools } from "./wire/task-tools.ts";
import { failureOf, type WireFailure } from "./wire/wire-error.ts";

/** The total time limit of a request, regardless of progress. A longer timeout raises it. */
const WHOLE_CALL_MS = 600_000;

export interface Opened {
  readonly server: ResolvedServer;
  readonly channel: Channel;
  readonly peer: Peer;
  readonly stdio: StdioChannel | undefined;
  readonly agreement: Agreement;
  readonly handshake: HandshakeOptions;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly answerer: ServerRequestHandler;
  readonly roots: QuestionHandlers["roots"];
  readonly logs: ServerLogHandler;
  readonly journal?: TaskJournal | undefined;
}

/** An open connection. Sends requests in the negotiated era and renews the session if the server has lost it. */
export class OpenedConnection implements Connection {
  readonly server: string;
  readonly facts: ServerFacts;
  readonly ended: Promise<ConnectionEnd>;

  readonly #opened: Opened;
  #agreement: Agreement;
  #closing = false;
  #why: string | undefined;
  readonly #over = new AbortController();
  /** Shared by all requests that lost their session at the same time. */
  readonly #renewOnce = sharedRun(() => this.#renew());
  /** Only the modern era over HTTP repeats arguments in headers. */
  readonly #toolHeaders: ToolHeaders | undefined;
  readonly #taskTools: TaskTools | undefined;
  readonly #listeners = new Set<NotificationListener>();
  readonly #liveness = new Liveness({
    probe: () => this.#probe(),
    onUnresponsive: () => this.#abandon(),
  });
  #isAbandoned = false;

  constructor(opened: Opened) {
    const { server, channel, peer, agreement, handshake, clock } = opened;
    this.#opened = opened;
    this.#agreement = agreement;
    this.#toolHeaders = agreement.modern && channel instanceof HttpChannel ? new ToolHeaders() : undefined;
    this.#taskTools = TaskTools.of(agreement);
    this.server = server.name;
    this.facts = factsOf(agreement, channel.transport, opened.redactor);
    const over = this.#over.signal;
    const ended = new Promise<void>((resolve) => over.addEventListener("abort", () => resolve()));
    this.ended = ended.then(() => ({ expected: this.#closing, message: this.#lost() }));
    void channel.ended.then(() => this.#end());
    peer.onMessage = () => this.#liveness.heard();
    peer.onSilence = () => this.#liveness.suspect();
    peer.onNotification = (method, params, origin) => this.#hear(method, params, origin);
    const onReopened = (): void => {
      for (const kind of ["tools", "resources", "prompts"])
        this.#hear(`notifications/${kind}/list_changed`, {});
    };
    if (channel instanceof HttpChannel) channel.onReopened = onReopened;
    void listen(peer, {
      agreement,
      identity: handshake.identity,
      clock,
      signal: this.#over.signal,
      onReopened,
    });
    if (!agreement.modern) this.#tellLegacy();
  }

  get probing(): Promise<boolean> | undefined {
    return this.#liveness.probing;
  }

  get process(): Connection["process"] {
    return this.#opened.stdio?.process;
  }

  get capabilities(): JsonObject {
    return this.#agreement.capabilities;
  }

  #end(): void {
    this.#over.abort();
    this.#liveness.stop();
  }

  /** Sends a request that every server of its era answers. Any response counts. */
  async #probe(): Promise<boolean> {
    const { peer, handshake } = this.#opened;
    const options = { timeoutMs: PROBE_MS };
    const { modern } = this.#agreement;
    const [method, params] = modern
      ? ["server/discover", modernParams({}, handshake.identity)]
      : ["ping", {}];
    try {
      await peer.request(method, params, options);
      return true;
    } catch (error) {
      return !NO_ANSWER.has(failureOf(error)?.kind);
    }
  }

  /** Closes the connection to a server that no longer responds. Pending requests fail; the next caller reconnects. */
  #abandon(): void {
    this.#isAbandoned = true;
    this.#end();
    void this.#opened.peer.close().catch(() => {});
  }

  /** Sets a legacy server's log level and notifies it of changed roots. */
  #tellLegacy(): void {
    const { peer, roots, logs } = this.#opened;
    if (logs.wanted !== undefined && this.facts.capabilities.includes("logging")) {
      const options = { timeoutMs: this.#opened.handshake.timeoutMs };
      void peer.request("logging/setLevel", { level: logs.wanted }, options).catch(() => {});
    }
    if (roots === undefined || !("subscribe" in roots)) return;
    const stop = roots.subscribe(() => {
      void peer.notify("notifications/roots/list_changed", {}).catch(() => {});
    });
    void this.ended.then(stop);
  }

  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    if (!isAnswering()) return this.#persist(method, params, options);
    const { answerer } = this.#opened;
    answerer.nestedCalls += 1;
    return this.#persist(method, params, options).finally(() => {
      answerer.nestedCalls -= 1;
    });
  }

  /** Sends a request, and sends it again if that is safe and may help. Most requests need only the first line. */
  #persist(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const tryAgain = (error: unknown): Promise<JsonObject> => this.#tryAgain(error, method, params, options);
    try {
      return this.#converse(method, params, options).catch(tryAgain);
    } catch (error) {
      return tryAgain(error);
    }
  }

  async #tryAgain(
    firstError: unknown,
    method: string,
    params: JsonObject,
    options: RequestOptions,
  ): Promise<JsonObject> {
    let waitedMs = 0;
    let wasRemedied = false;
    for (let count = 1; ; count += 1) {
      try {
        if (count === 1) throw firstError;
        return await this.#converse(method, params, options);
      } catch (error) {
        if (options.signal?.aborted || this.#over.signal.aborted) throw this.#translate(error, options);
        const remedy = wasRemedied ? undefined : this.#remedyFor(error, options);
        wasRemedied = true;
        const { modern } = this.#agreement;
        const failure = failureOf(error);
        const waitMs = remedy ? 0 : resendDelayMs(failure, { method, options, modern, count, waitedMs });
        if (waitMs === undefined) throw this.#translate(error, options);
        waitedMs += waitMs;
        try {
          await (remedy?.() ?? this.#prepareAgain(failure, waitMs, options));
        } catch (problem) {
          throw this.#translate(problem, options);
        }
      }
    }
  }

  /** Returns what to do before a request is sent once more. Only for requests that the server did not run. */
  #remedyFor(error: unknown, { timeoutMs, signal, raw }: RequestOptions): (() => Promise<void>) | undefined {
    return remedyFor(error, {
      modern: this.#agreement.modern,
      mayAsk: raw !== true, // a relayed refusal is the client's to handle
      signal: this.#orOver(signal),
      answer: this.#opened.answerer.answer,
      clock: this.#opened.clock,
      timeoutMs,
      listTools: (params, pageMs) => this.#converse("tools/list", params, { timeoutMs: pageMs, signal }),
    });
  }

  /** Returns a signal that aborts with the caller's signal or at the end of the connection. */
  #orOver(signal: AbortSignal | undefined): AbortSignal {
    const over = this.#over.signal;
    return signal === undefined ? over : AbortSignal.any([signal, over]);
  }

  onNotification(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(why?: string): Promise<void> {
    this.#closing = true;
    this.#why ??= why;
    this.#liveness.stop();
    await this.#opened.peer.close();
  }

  #converse(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const { timeoutMs, signal, raw, origin, resumeTask } = options;
    const { peer, redactor } = this.#opened;
    let isInProgress = false;
    const progressed = (): void => {
      if (isInProgress) return;
      isInProgress = true;
      const endCall = this.#liveness.progressed();
      result.then(endCall, endCall);
    };
    const onProgress: RequestOptions["onProgress"] =
      options.onProgress &&
      ((progress, rawProgress) => {
        progressed();
        const { message } = progress;
        options.onProgress?.(
          message === undefined ? progress : { ...progress, message: redactor.redact(message) },
          rawProgress,
        );
      });
    const headers = method === "tools/call" ? this.#toolHeaders?.headersFor(params) : undefined;
    // A stream stays open for as long as the subscription. A task that is continued may take days.
    const isEndless = method === "subscriptions/listen" || resumeTask !== undefined;
    const wholeMs = isEndless ? undefined : Math.max(WHOLE_CALL_MS, timeoutMs);
    const request = { timeoutMs, wholeMs, signal, onProgress, headers, origin };
    const isPlain =
      !this.#agreement.modern && this.#taskTools === undefined && raw !== true && resumeTask === undefined;
    const result = isPlain
      ? peer.request(method, params, request)
      : this.#sendInEra(method, params, request, options, progressed);
    const toolHeaders = method === "tools/list" ? this.#toolHeaders : undefined;
    if (toolHeaders === undefined) return result;
    const isFirstPage = params["cursor"] === undefined;
    return result.then((list) => toolHeaders.learn(list, { isFirstPage }));
  }

  #sendInEra(
    method: string,
    params: JsonObject,
    request: PeerRequest,
    { raw, followTasks, resumeTask }: RequestOptions,
    progressed: () => void,
  ): Promise<JsonObject> {
    const { peer, handshake, clock, answerer, logs } = this.#opened;
    return sendInEra(peer, method, params, request, {
      agreement: this.#agreement,
      identity: handshake.identity,
      clock,
      onRequest: (...question) => {
        progressed(); // a server that sends a request is working on the call
        return answerer.answer(...question);
      },
      over: this.#over.signal,
      taskTools: this.#taskTools,
      logLevel: logs.wanted ?? "info",
      raw,
      followTasks,
      journal: this.#opened.journal,
      resumeTask,
    });
  }

  async #prepareAgain(
    failure: WireFailure | undefined,
    waitMs: number,
    options: RequestOptions,
  ): Promise<void> {
    const { channel, clock } = this.#opened;
    if (waitMs > 0) await delay(clock, waitMs, this.#orOver(options.signal));
    if (failure?.kind !== "sessionGone" || !(channel instanceof HttpChannel)) return;
    if (!channel.forgetSession(failure.session)) return;
    await this.#renewOnce();
  }

  async #renew(): Promise<void> {
    const { peer, channel, handshake } = this.#opened;
    this.#agreement = await performHandshake(peer, channel, {
      ...handshake,
      protocol: handshake.protocol === "auto" ? "legacy" : handshake.protocol,
    });
  }

  #translate(error: unknown, options: RequestOptions): Error {
    const { timeoutMs, timeoutSource } = this.#opened.server;
    const failure = toRequestError(error, {
      server: this.server,
      options,
      timeoutSource: options.timeoutMs === timeoutMs ? timeoutSource : undefined,
      redactor: this.#opened.redactor,
      lost: this.#lost(),
      lostHint: this.#isAbandoned
        ? "The server may have run the request, so it was not sent again."
        : undefined,
    });
    // This connection is unusable: the next caller gets a new one.
    if (isHostError(failure, "CONNECTION_LOST")) void this.#opened.peer.close().catch(() => {});
    return failure;
  }

  #hear(method: string, params: JsonObject, origin?: object): void {
    if (method === "notifications/message") this.#opened.logs.hear(params);
    for (const listener of Array.from(this.#listeners)) listener(method, params, origin);
  }

  #lost(): string {
    const { stdio, redactor } = this.#opened;
    if (this.#isAbandoned) return unresponsive(this.server, this.#agreement);
    if (this.#why !== undefined) return this.#why;
    if (stdio?.endedItself) return `the process of "${this.server}" ${describeProcessEnd(stdio, redactor)}`;
    if (stdio?.fellSilent) return `"${this.server}" closed its standard output but kept running`;
    return `the connection to "${this.server}" was ${this.#closing ? "closed" : "lost"}`;
  }
}

const LONGEST_CAPABILITY = 200;

/** Probe failures without a response. An error reply or an HTTP status is a response. */
const NO_ANSWER: ReadonlySet<WireFailure["kind"] | undefined> = new Set(["timeout", "unreachable"]);

function unresponsive(server: string, { modern }: Agreement): string {
  const probe = modern ? "server/discover" : "ping";
  return `"${server}" stopped responding (no answer to ${probe} within ${PROBE_MS} ms), so its connection was replaced`;
}

/**
 * Returns what the server reports about itself, with repeated secrets masked, because it is printed, logged and passed
 * to models.
 */
function factsOf(
  { version, modern, server, capabilities, instructions }: Agreement,
  transport: ServerFacts["transport"],
  redactor: Redactor,
): ServerFacts {
  const mask = redactor.maskLongValues() ?? ((text: string) => text);
  const masked = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : mask(text);
  return {
    name: masked(server.name),
    version: masked(server.version),
    protocolVersion: version,
    era: modern ? "modern" : "legacy",
    transport,
    capabilities: Object.keys(capabilities)
      .filter((name) => name.length <= LONGEST_CAPABILITY)
      .map(mask)
      .sort(),
    instructions: masked(instructions),
  };
}
