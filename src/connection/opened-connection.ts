import { isHostError, type JsonObject, type Redactor, type ServerFacts } from "../model/index.ts";
import { type Clock, delay } from "../platform/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import type { Connection, ConnectionEnd, RequestOptions } from "./connection.ts";
import { HttpChannel } from "./http/http-channel.ts";
import { ToolHeaders } from "./http/tool-headers.ts";
import { describeProcessEnd } from "./process-end.ts";
import { toRequestError } from "./request-error.ts";
import { resendAfter } from "./resend.ts";
import type { StdioChannel } from "./stdio-channel.ts";
import type { Channel } from "./wire/channel.ts";
import { converse } from "./wire/conversation.ts";
import type { Agreement } from "./wire/era.ts";
import { type HandshakeOptions, shakeHands } from "./wire/handshake.ts";
import { listen } from "./wire/listen.ts";
import type { Peer } from "./wire/peer.ts";
import { failureOf, type WireFailure } from "./wire/wire-error.ts";

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
}

/** A connection that stands: requests in the agreed era, the session renewed when the server forgot it. */
export class OpenedConnection implements Connection {
  readonly server: string;
  readonly facts: ServerFacts;
  readonly ended: Promise<ConnectionEnd>;

  readonly #opened: Opened;
  #agreement: Agreement;
  #closing = false;
  readonly #over = new AbortController();
  #renewing: Promise<void> | undefined;
  /** Only the modern era over HTTP repeats arguments in headers. */
  readonly #toolHeaders: ToolHeaders | undefined;
  readonly #listeners = new Set<(method: string, params: JsonObject) => void>();

  constructor(opened: Opened) {
    const { server, channel, peer, agreement, handshake, clock } = opened;
    this.#opened = opened;
    this.#agreement = agreement;
    this.#toolHeaders = agreement.modern && channel instanceof HttpChannel ? new ToolHeaders() : undefined;
    this.server = server.name;
    this.facts = factsOf(agreement, channel.transport);
    this.ended = channel.ended.then(() => ({ expected: this.#closing, message: this.#lost() }));
    peer.onNotification = (method, params) => this.#hear(method, params);
    const onReopened = (): void => {
      for (const kind of ["tools", "resources", "prompts"])
        this.#hear(`notifications/${kind}/list_changed`, {});
    };
    if (channel instanceof HttpChannel) channel.onReopened = onReopened;
    void channel.ended.then(() => this.#over.abort());
    void listen(peer, {
      agreement,
      identity: handshake.identity,
      clock,
      signal: this.#over.signal,
      onReopened,
    });
  }

  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    let waitedMs = 0;
    for (let count = 1; ; count += 1) {
      try {
        return await this.#converse(method, params, options);
      } catch (error) {
        const { modern } = this.#agreement;
        const failure = failureOf(error);
        const waitMs = resendAfter(failure, { method, options, modern, count, waitedMs });
        if (waitMs === undefined || options.signal?.aborted) throw this.#translate(error, options);
        waitedMs += waitMs;
        await this.#prepareAgain(failure, waitMs, options);
      }
    }
  }

  onNotification(listener: (method: string, params: JsonObject) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#opened.peer.close();
  }

  async #converse(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const { timeoutMs, signal, onProgress } = options;
    const { peer, handshake } = this.#opened;
    const headers = method === "tools/call" ? this.#toolHeaders?.headersFor(params) : undefined;
    const wholeMs = method === "subscriptions/listen" ? undefined : WHOLE_CALL_MS; // it lasts as long as it is wanted
    const request = { timeoutMs, wholeMs, signal, onProgress, headers };
    const result = await converse(peer, method, params, request, {
      agreement: this.#agreement,
      identity: handshake.identity,
      onRequest: peer.onRequest,
    });
    return method === "tools/list" && this.#toolHeaders !== undefined
      ? this.#toolHeaders.learn(result)
      : result;
  }

  async #prepareAgain(
    failure: WireFailure | undefined,
    waitMs: number,
    options: RequestOptions,
  ): Promise<void> {
    const { channel, clock } = this.#opened;
    if (waitMs > 0) await delay(clock, waitMs, options.signal);
    if (failure?.kind !== "sessionGone" || !(channel instanceof HttpChannel)) return;
    if (!channel.forgetSession(failure.session)) return;
    try {
      await this.#renew();
    } catch (error) {
      throw this.#translate(error, options);
    }
  }

  #renew(): Promise<void> {
    const { peer, channel, handshake } = this.#opened;
    this.#renewing ??= shakeHands(peer, channel, { ...handshake, protocol: "legacy" })
      .then((agreement) => {
        this.#agreement = agreement;
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  #translate(error: unknown, options: RequestOptions): Error {
    const failure = toRequestError(error, {
      server: this.server,
      options,
      redactor: this.#opened.redactor,
      lost: this.#lost(),
    });
    // Nothing more will come of this one: the next caller gets a new connection.
    if (isHostError(failure, "CONNECTION_LOST")) void this.#opened.peer.close().catch(() => {});
    return failure;
  }

  #hear(method: string, params: JsonObject): void {
    for (const listener of Array.from(this.#listeners)) listener(method, params);
  }

  #lost(): string {
    const { stdio, redactor } = this.#opened;
    if (stdio?.endedItself) return `the process of "${this.server}" ${describeProcessEnd(stdio, redactor)}`;
    if (stdio?.fellSilent) return `"${this.server}" closed its standard output and went on running`;
    return `the connection to "${this.server}" was ${this.#closing ? "closed" : "lost"}`;
  }
}

function factsOf(
  { version, modern, server, capabilities, instructions }: Agreement,
  transport: ServerFacts["transport"],
): ServerFacts {
  return {
    name: server.name,
    version: server.version,
    protocolVersion: version,
    era: modern ? "modern" : "legacy",
    transport,
    capabilities: Object.keys(capabilities).sort(),
    instructions,
  };
}
