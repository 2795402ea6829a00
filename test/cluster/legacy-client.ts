import type { JsonObject } from "../../src/model/index.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The last message, or an empty object. */
  readonly body: JsonObject;
}

/** A legacy client that sends its requests one by one, and knows nothing of nodes. */
export class LegacyClient {
  readonly #url: string;
  readonly #token: string;
  session: string | undefined;
  #id = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.#token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.session !== undefined && {
        "mcp-session-id": this.session,
        "mcp-protocol-version": "2025-11-25",
      }),
    };
  }

  async initialize(capabilities: JsonObject = {}): Promise<this> {
    const clientInfo = { name: "raw", version: "1" };
    const { headers, status } = await this.post("initialize", {
      protocolVersion: "2025-11-25",
      capabilities,
      clientInfo,
    });
    this.session = headers.get("mcp-session-id") ?? undefined;
    if (status !== 200 || this.session === undefined)
      throw new Error(`initialize was answered with ${status}`);
    return this;
  }

  /** Sends a request, and rejects if the connection is lost. */
  async post(
    method: string,
    params: JsonObject = {},
    url: string = this.#url,
    signal?: AbortSignal,
  ): Promise<RawAnswer> {
    this.#id += 1;
    return this.send({ jsonrpc: "2.0", id: this.#id, method, params }, url, signal);
  }

  async send(message: JsonObject, url: string = this.#url, signal?: AbortSignal): Promise<RawAnswer> {
    const response = await this.open(message, url, signal);
    const text = await response.text();
    const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => data);
    const last = text.startsWith("{") ? text : events.at(-1);
    return {
      status: response.status,
      headers: response.headers,
      body: last === undefined ? {} : (JSON.parse(last) as JsonObject),
    };
  }

  open(message: JsonObject, url: string = this.#url, signal?: AbortSignal): Promise<Response> {
    const body = JSON.stringify(message);
    return fetch(url, { method: "POST", headers: this.headers, body, ...(signal && { signal }) });
  }

  /** Opens the stream for messages outside of requests. */
  stream(url: string = this.#url): Promise<Response> {
    return fetch(url, { headers: { ...this.headers, accept: "text/event-stream" } });
  }
}
