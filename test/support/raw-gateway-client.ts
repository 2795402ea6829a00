import type { Gateway } from "../../src/gateway.ts";
import type { JsonObject } from "../../src/model/index.ts";
import { type Downstream, type Era, pipeTo } from "./gateway-clients.ts";

const META = "io.modelcontextprotocol/";

/** A response: its result or its error. */
export interface RawResponse {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
}

/** A client without any knowledge of the protocol, for messages that the official client cannot send. */
export interface RawClient extends AsyncDisposable {
  /** The gateway's response to `initialize` or `server/discover`. */
  readonly greeting: RawResponse;
  request(method: string, params?: JsonObject): Promise<RawResponse>;
  /** The notifications that arrived. */
  readonly notices: JsonObject[];
  /** The requests that arrived. */
  readonly asked: JsonObject[];
}

export interface RawClientOptions {
  readonly capabilities?: JsonObject;
  readonly path?: string;
  /** Default: 2025-11-25. */
  readonly version?: string;
  /** Additional `_meta` of every request. */
  readonly meta?: JsonObject;
  answer?(request: JsonObject): JsonObject;
}

export async function openRawClient(
  gateway: Gateway,
  downstream: Downstream,
  era: Era,
  {
    capabilities = {},
    path = "/mcp",
    version = "2025-11-25",
    meta = {},
    answer = () => ({}),
  }: RawClientOptions = {},
): Promise<RawClient> {
  const open = new Map<unknown, (response: RawResponse) => void>();
  const notices: JsonObject[] = [];
  const asked: JsonObject[] = [];
  let count = 0;
  const receive = (message: JsonObject): void => {
    const { id, method } = message;
    if (method === undefined) return open.get(id)?.(message);
    if (id === undefined) return void notices.push(message);
    asked.push(message);
    void wire.send({ jsonrpc: "2.0", id, result: answer(message) });
  };
  const wire = downstream === "stdio" ? overPipe(gateway, receive) : await overHttp(gateway, path, receive);
  const request = async (method: string, given: JsonObject = {}): Promise<RawResponse> => {
    count += 1;
    const id = count;
    const own = (given["_meta"] ?? {}) as JsonObject;
    const modern: JsonObject = {
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientCapabilities`]: capabilities,
    };
    const all = { ...(era === "modern" && modern), ...meta, ...own };
    const params = Object.keys(all).length > 0 ? { ...given, _meta: all } : given;
    const response = new Promise<RawResponse>((resolve) => open.set(id, resolve));
    await wire.send({ jsonrpc: "2.0", id, method, params });
    return response;
  };
  const greeting =
    era === "modern"
      ? await request("server/discover")
      : await request("initialize", {
          protocolVersion: version,
          capabilities,
          clientInfo: { name: "raw", version: "1" },
        });
  return { greeting, request, notices, asked, [Symbol.asyncDispose]: () => wire.close() };
}

interface Wire {
  send(message: JsonObject): Promise<void>;
  close(): Promise<void>;
}

function overPipe(gateway: Gateway, receive: (message: JsonObject) => void): Wire {
  const { transport, close } = pipeTo(gateway);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onmessage = (message) => receive(message as unknown as JsonObject);
  return {
    send: (message) => transport.send(message as unknown as Parameters<typeof transport.send>[0]),
    async close() {
      await transport.close();
      await close();
    },
  };
}

async function overHttp(
  gateway: Gateway,
  path: string,
  receive: (message: JsonObject) => void,
): Promise<Wire> {
  const server = await gateway.listen({ port: 0 });
  const url = new URL(path, server.url);
  let session: string | undefined;
  const post = async (message: JsonObject): Promise<void> => {
    const { method, params } = message;
    const { _meta: meta, name, uri, taskId } = (params ?? {}) as JsonObject;
    const isModern = ((meta ?? {}) as JsonObject)[`${META}protocolVersion`] !== undefined;
    const named = [name, uri, taskId].find((text) => typeof text === "string");
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.token}`,
        "content-type": "application/json",
        ...(isModern && { "mcp-protocol-version": "2026-07-28", "mcp-method": String(method) }),
        ...(isModern && typeof named === "string" && { "mcp-name": named }),
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      body: JSON.stringify(message),
    });
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    if (response.headers.get("content-type")?.startsWith("text/event-stream"))
      return readEvents(response, receive);
    const text = await response.text();
    if (text !== "") receive(JSON.parse(text) as JsonObject);
  };
  return {
    async send(message) {
      void post(message).catch((error: unknown) =>
        receive({ id: message["id"] ?? null, error: { code: 0, message: String(error) } }),
      );
    },
    close: () => server.close(),
  };
}

async function readEvents(response: Response, receive: (message: JsonObject) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined && data !== "") receive(JSON.parse(data) as JsonObject); // the first event is empty
    }
  }
}
