import { isJsonObject, type JsonObject } from "../../model/index.ts";
import type { Clock, Http, HttpResponse } from "../../platform/index.ts";
import { delay } from "../../platform/index.ts";
import type { Channel, SendOptions } from "../wire/channel.ts";
import { type Message, messagesIn } from "../wire/message.ts";
import { WireError } from "../wire/wire-error.ts";
import { createEventStream } from "./event-stream.ts";
import { exchange, readText, statusError } from "./exchange.ts";
import { routingHeaders } from "./request-headers.ts";

const LARGEST_BODY = 32 * 1024 * 1024;
const LARGEST_EVENT = 16 * 1024 * 1024;
const LARGEST_REFUSAL = 64 * 1024;
const MOST_RESUMES = 5;

export interface HttpChannelOptions {
  readonly http: Http;
  readonly clock: Clock;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Streamable HTTP: every message is a POST; answers come as JSON or as an event stream. */
export class HttpChannel implements Channel {
  readonly transport = "http";
  readonly perRequest = true;
  readonly ended: Promise<void>;

  readonly #options: HttpChannelOptions;
  readonly #closing = new AbortController();
  #receive: (message: Message) => void = () => {};
  #end: () => void = () => {};
  #session: string | undefined;
  #version: string | undefined;
  #modern = false;
  #retryMs = 1_000;

  constructor(options: HttpChannelOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(receive: (message: Message) => void): Promise<void> {
    this.#receive = receive;
  }

  negotiated({ version, modern, pushes }: { version: string; modern: boolean; pushes: boolean }): void {
    this.#version = version;
    this.#modern = modern;
    if (!modern && pushes) void this.#listen();
  }

  async send(message: Message, { signal, headers = {} }: SendOptions = {}): Promise<void> {
    const { http, url } = this.#options;
    const response = await exchange(http, {
      url,
      method: "POST",
      headers: {
        ...this.#headers(message),
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(message),
      signal: signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]),
    });
    this.#session ??= response.headers.get("mcp-session-id");
    if (response.status >= 400 || response.status < 200) return this.#refuse(message, response);
    if (message["id"] === undefined || message["method"] === undefined || response.status === 202) {
      response.read(
        () => {},
        () => {},
      );
      return;
    }
    const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
    if (type === "text/event-stream") await this.#readStream(response, message["id"], signal);
    else if (type === "application/json") await this.#readJson(response);
    else {
      response.cancel();
      throw new WireError({ kind: "notMcp" }, `it answered with ${type || "no content type"} instead of MCP`);
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const session = this.#session;
    this.#closing.abort();
    this.#end();
    if (session === undefined || this.#modern) return;
    try {
      const { http, url } = this.#options;
      const response = await http.request({
        url,
        method: "DELETE",
        headers: this.#headers(),
        signal: AbortSignal.timeout(1_000),
      });
      response.cancel();
    } catch {
      /* the session ends by itself when nobody uses it */
    }
  }

  /** The session is gone; a new handshake starts another. */
  forgetSession(): boolean {
    const had = this.#session !== undefined;
    this.#session = undefined;
    return had;
  }

  #headers(message?: Message): Record<string, string> {
    const method = message?.["method"];
    const isHandshake = method === "initialize";
    const params = message?.["params"];
    const meta = isJsonObject(params) && isJsonObject(params["_meta"]) ? params["_meta"] : {};
    const claimed = meta["io.modelcontextprotocol/protocolVersion"];
    const version = typeof claimed === "string" ? claimed : this.#version;
    return {
      ...this.#options.headers,
      ...(version !== undefined && !isHandshake && { "mcp-protocol-version": version }),
      ...(this.#session !== undefined && !isHandshake && { "mcp-session-id": this.#session }),
      ...(typeof claimed === "string" &&
        typeof method === "string" &&
        routingHeaders(method, params as JsonObject)),
    };
  }

  /** An error status. A JSON-RPC error in its body is the better answer, where it is to this request. */
  async #refuse(message: Message, response: HttpResponse): Promise<void> {
    const { status } = response;
    const body = await readText(response, LARGEST_REFUSAL).catch(() => "");
    const [answer] = status === 401 || status === 403 ? [] : parseMessages(body);
    const isAnswer =
      isJsonObject(answer?.["error"]) && (answer?.["id"] === message["id"] || answer?.["id"] == null);
    const sessionIsGone = status === 404 && this.#session !== undefined;
    if (answer === undefined || !isAnswer || sessionIsGone) throw statusError(response);
    this.#receive({ ...answer, id: message["id"] ?? null });
  }

  async #readJson(response: HttpResponse): Promise<void> {
    const text = await readText(response, LARGEST_BODY);
    const messages = parseMessages(text);
    if (messages.length === 0)
      throw new WireError({ kind: "notMcp" }, "its answer is not a JSON-RPC message");
    for (const message of messages) this.#receive(message);
  }

  /** Reads a stream to its end; one that ends early is taken up again where the server allows it. */
  async #readStream(
    response: HttpResponse,
    id: Message[string],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let current = response;
    for (let attempt = 0; ; attempt += 1) {
      const { answered, lastId } = await this.#readEvents(current, id);
      if (answered || lastId === undefined || this.#modern || attempt >= MOST_RESUMES) return;
      await delay(this.#options.clock, this.#retryMs);
      if (signal?.aborted || this.#closing.signal.aborted) return;
      current = await this.#get(lastId, signal);
    }
  }

  #readEvents(
    response: HttpResponse,
    id?: Message[string],
  ): Promise<{ answered: boolean; lastId: string | undefined }> {
    return new Promise((resolve, reject) => {
      let answered = false;
      let lastId: string | undefined;
      const push = createEventStream({
        limit: LARGEST_EVENT,
        onRetry: (ms) => {
          this.#retryMs = Math.min(ms, 60_000);
        },
        onTooLarge() {
          response.cancel();
          reject(new WireError({ kind: "tooLarge" }, "an event of the stream is larger than 16 MB"));
        },
        onEvent: (event) => {
          lastId = event.id ?? lastId;
          if (event.event !== "message" || event.data === "") return;
          for (const message of parseMessages(event.data)) {
            if (id !== undefined && message["id"] === id && message["method"] === undefined) answered = true;
            this.#receive(message);
          }
          if (answered) {
            response.cancel();
            resolve({ answered, lastId });
          }
        },
      });
      response.read(push, () => resolve({ answered, lastId }));
    });
  }

  async #get(lastId: string | undefined, signal?: AbortSignal): Promise<HttpResponse> {
    const { http, url } = this.#options;
    const response = await exchange(http, {
      url,
      method: "GET",
      headers: {
        ...this.#headers(),
        accept: "text/event-stream",
        ...(lastId !== undefined && { "last-event-id": lastId }),
      },
      signal: signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]),
    });
    if (response.status === 200) return response;
    response.cancel();
    throw new WireError(
      { kind: "status", status: response.status },
      `HTTP ${response.status} for its event stream`,
    );
  }

  /** The stream on which a legacy server says things unasked. Many have none; that is no error. */
  async #listen(): Promise<void> {
    let lastId: string | undefined;
    for (let waitMs = this.#retryMs; !this.#closing.signal.aborted; waitMs = Math.min(waitMs * 2, 30_000)) {
      try {
        const read = await this.#readEvents(await this.#get(lastId));
        lastId = read.lastId ?? lastId;
        waitMs = this.#retryMs;
      } catch (error) {
        const failure = error instanceof WireError ? error.failure : undefined;
        if (failure?.kind === "status" && failure.status < 500) return;
        if (failure === undefined) return; // the channel was closed under it
      }
      await delay(this.#options.clock, waitMs);
    }
  }
}

function parseMessages(text: string): Message[] {
  try {
    return messagesIn(JSON.parse(text)).messages;
  } catch {
    return []; // not JSON, so no message
  }
}
